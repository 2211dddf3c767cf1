"""Campaigns: long seeded runs over hostile input. docs/lab/reliability.md says what each has found."""
