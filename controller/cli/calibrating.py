"""A calibration on the daemon's machine: begun by a request, followed, mended by whoever stands there."""
