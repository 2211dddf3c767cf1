"""Pictures of trees: what they show (`anatomy`, `picture`), where it stands (`layout`), how it is drawn."""
