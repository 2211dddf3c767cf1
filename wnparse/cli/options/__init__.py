"""Types of options, groups of options, and checks of options, which several commands share."""
