"""The menu of every page: what a page calls itself, its address, and its words."""

NAV = (
    ("overview", "/", "Overview"),
    ("records", "/ui/records", "Records"),
    ("review", "/ui/review", "Review"),
    ("verify", "/ui/verify", "Verify a case"),
    ("calibration", "/ui/calibration", "Calibration"),
    ("experiments", "/ui/experiments", "Experiments"),
    ("jobs", "/ui/jobs", "Jobs"),
    ("keys", "/ui/keys", "Keys"),
    ("audit", "/ui/audit", "Audit log"),
    ("settings", "/ui/settings", "Settings"),
)
