"""What goes over the wire: frames and messages, pure bytes and values, no port and no clock."""
