"""What the five papers print, computed again."""
