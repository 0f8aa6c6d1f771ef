"""Whether a plan holds together and can be carried out."""
