"""The command line: options and printing; each command calls the library."""
