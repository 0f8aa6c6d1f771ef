"""The operations of the API, a family to a file: each reads what it is given, calls the one flow, and says what lasts."""
