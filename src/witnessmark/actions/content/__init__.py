"""What a report says that files hold, and what they held and hold: values, properties of code, names that are left, what tests assert."""
