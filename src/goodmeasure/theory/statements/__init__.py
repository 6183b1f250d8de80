"""The papers' properties as data, and what is known about a measure and a property: verdict, witness, certificate."""
