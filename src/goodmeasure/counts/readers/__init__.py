"""Reading tables: sheets, databases, folders of Parquet, streams of Arrow, and text without an engine."""
