"""Reading tables that are not files of one table: sheets, databases, folders of Parquet, streams of Arrow."""
