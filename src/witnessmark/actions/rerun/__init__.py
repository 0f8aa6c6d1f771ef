"""The done-contract of a task, run again by us in a throw-away copy of the tree."""
