"""The bridge domain: cards, deals, boards, laws, deal files. No hardware, no camera, no network."""
