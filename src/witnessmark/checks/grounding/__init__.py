"""What a text asserts and whether other texts support it: claims, evidence, rules, records, decision, confidence."""
