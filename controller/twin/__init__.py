"""The simulated machine: it takes time, has named faults and says what it leaves out."""
