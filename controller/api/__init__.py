"""The daemon's door: typed models, live events that nobody misses, HTTP over a Unix socket.

Nothing here knows a card of a live set, and nothing here touches the machine: requests go through
`Desk` to the control loop, which answers.
"""
