"""The simulated machine: product code that takes time, has named faults and says what it leaves out."""
