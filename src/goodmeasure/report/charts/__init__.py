"""The charts of reports and notebooks, and figures by Matplotlib."""
