"""The pages: server-rendered, live, no outside host. Reads values and prints them; no judgement here."""
