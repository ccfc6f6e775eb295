"""An image of a card goes in, a CardReading comes out; of the bridge domain it knows cards alone."""
