"""Several raters of the same items: how far they agree, what they agree on, and what people prefer."""
