//! Jobs of all three kinds.
