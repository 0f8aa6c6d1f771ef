"""How the embedded models are made: data recipe, networks, training, export, evaluation. Not shipped with the library."""
