"""Parts of sentences, and what a name in one of them stands for."""
