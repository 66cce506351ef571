"""Who knows what: public facts, beliefs, and what follows events to them."""
