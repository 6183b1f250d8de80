"""What a measure is written in: the language of ``c`` (`view`), the policies for 0/0 (`policy`), and its readings."""
