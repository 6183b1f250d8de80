"""Which measure suits a task: answers become needs, needs become a ranked list with reasons."""
