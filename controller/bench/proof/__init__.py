"""The proof of the eye: some hundred thousand images and some thousand boards, held against the truth."""
