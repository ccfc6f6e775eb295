"""Double dummy: what each declarer makes when all see all cards, solved in processes of its own.

`solver.solve(deals)` yields results as they are ready; `deals.scoring.par` gives par from a table.
Without the library (Debian: libdds0) it raises DoubleDummyError and everything else goes on. Nothing
is imported here: the processes start with what they need, 25 ms for 50.
"""
