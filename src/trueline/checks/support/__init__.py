"""What a text asserts and whether other texts bear it out: claims, figures, names, evidence, and the decision.

Pure functions on strings. Knows nothing about cases, policies or records; `checks.grounding` joins the two.
"""
