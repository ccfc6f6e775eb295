"""The machine: command line, jobs, engine, link, protocol, store, and the twin that stands for it."""
