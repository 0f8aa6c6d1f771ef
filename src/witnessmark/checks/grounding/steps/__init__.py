"""Figures that follow by a step from those of the sources, of the question or of the claim itself."""
