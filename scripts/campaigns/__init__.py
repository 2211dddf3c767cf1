"""Campaigns: long seeded runs over hostile input. docs/reliability.md says what each has found."""
