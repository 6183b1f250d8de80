"""Recommend measures for a task: answers become required properties, and measures are ranked by them, with reasons."""
