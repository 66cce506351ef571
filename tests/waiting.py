"""How long tests wait for another process before they say that it hangs."""

LONG = 600.0  # seconds: far more than a busy machine takes
