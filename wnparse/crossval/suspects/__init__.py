"""Words whose annotation is likely wrong."""
