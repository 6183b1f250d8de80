"""What the server knows: each module answers the questions of one section of the page, free of HTTP."""
