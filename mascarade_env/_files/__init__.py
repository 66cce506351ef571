"""Files from elsewhere, read within limits; at most one process writes an output."""
