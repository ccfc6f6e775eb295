"""The twin as a process of its own at 1x, and the people beside it as clients of its sockets.

`server` runs the world; `doors` are what the daemon reaches: a pty for the MCU, sockets for window
images, label and pins. `control` is the socket for hands and eyes, `remote` its client.
"""
