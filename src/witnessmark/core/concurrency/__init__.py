"""Running many things at once, and async things from code that is not."""
