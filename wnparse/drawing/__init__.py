"""Pictures of trees: content (`anatomy`, `picture`), positions (`layout`) and drawing (`svg`, `text`, `page`)."""
