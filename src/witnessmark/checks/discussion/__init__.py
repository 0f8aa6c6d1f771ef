"""A moderator's conclusion against what was said."""
