"""The daemon: the only owner of port, pins and camera. One control loop in the main thread; the
API in a thread of its own.
"""
