"""How the general reader was made: drawn indices, and the net fitted to them. Run by hand; needs torch and Pillow."""
