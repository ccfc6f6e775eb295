"""The command line `predeal`: one module a command, each imported only when it is called."""
