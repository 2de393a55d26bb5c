//! The compiled program: its static table and the evaluation of its templates. This crate does no IO.

pub mod coordinator_texts;
pub mod evaluate;
pub mod failure;
mod lost_parts;
pub mod table;
