"""What a report tells of its session that only the whole session can show: figures, calls, rehearsals, answers, code as it is quoted."""
