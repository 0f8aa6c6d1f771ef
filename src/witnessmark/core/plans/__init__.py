"""How the checks of a case are made: options bound to what criteria say, policies and graphs made once."""
