"""What several rooms know about texts, written once: sentences, words, numbers, dates, units, names, quotes, Markdown, tables, language."""
