"""Claims about actions, held against tree and trace."""
