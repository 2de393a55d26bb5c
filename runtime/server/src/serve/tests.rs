//! Tests on a store with jobs of all three kinds.
