"""Requirements that a result must meet, such as "mcc >= 0.8", and whether it meets them."""
