"""How a sentence of a response is read: what it does, whom its pronouns mean, and the statement a short answer makes."""
