"""Which properties a measure can have together: linear programs, exact certificates, and measures made to measure."""
