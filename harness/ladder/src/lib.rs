//! What a step of a ladder is, how it is run and verified.
