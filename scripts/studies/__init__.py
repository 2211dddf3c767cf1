"""Studies: what features, parts, learners and decoders of training are worth."""
