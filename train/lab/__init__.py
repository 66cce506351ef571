"""What makes this repository's own pages, figures and releases; not packaged."""
