//! What a compiled program is: its static table and the evaluation of its templates. Nothing here does IO.

pub mod coordinator_texts;
pub mod evaluate;
pub mod failure;
pub mod table;
