"""Jobs: what tournament staff ask of the machine, carried out board by board."""
