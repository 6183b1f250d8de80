"""Replays of the witnesses of refuted statements."""
