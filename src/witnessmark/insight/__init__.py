"""What the records say together: metrics, alerts, calibration, experiments. Knows no route, no page and no judge."""
