"""The decoder `ilp`: parsing as an integer linear program, solved by HiGHS with lazily separated rows."""
