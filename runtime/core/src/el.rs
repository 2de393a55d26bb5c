//! The expression language of workflows: JSP 2.0 EL, with the semantics of commons-el 1.0 (Oozie up to 5.1).
//!
//! Text is parsed by [`parser`] to the tree of [`ast`], which is either evaluated by the tree walker [`eval`] or compiled to
//! Rust. Both call the same [`ops`] and [`functions`], and so does constant folding in [`inference`], so the three cannot give
//! different results. The facts about a job that an expression can access are in the trait [`scope::Scope`].
//!
//! The parser expects decoded text: `&gt;` has already become `>`.

pub mod ast;
pub mod constants;
pub mod error;
pub mod eval;
pub mod functions;
pub mod inference;
mod lexer;
pub mod ops;
pub mod parse_error;
pub mod parser;
pub mod phase;
mod print;
pub mod regex;
pub mod results;
pub mod scope;
pub mod text;
pub mod types;
pub mod value;

#[cfg(test)]
mod tests;
