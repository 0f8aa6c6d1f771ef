"""What users test with: a stub of a judge's endpoint with faults, and texts that try to talk a judge round."""
