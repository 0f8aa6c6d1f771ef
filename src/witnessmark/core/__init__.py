"""The words and the flow: values, case, verdict, graph, run, policy, record. Knows no room."""
