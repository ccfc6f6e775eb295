"""How a program talks to the daemon: HTTP over its Unix socket, events without loss."""
