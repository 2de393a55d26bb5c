//! The expression language of workflows: JSP 2.0 EL, with the results that commons-el 1.0 (Oozie up to 5.1) gives.
//!
//! Text goes through [`parser`] to the tree of [`ast`], and from there either to the tree walker [`eval`] or, through the
//! compiler, to generated Rust. Both call the same [`ops`] and [`functions`], and so does constant folding in [`inference`],
//! which is why the three cannot give different answers. What an expression can ask of a job is the trait
//! [`scope::Scope`].
//!
//! The text given to the parser is the decoded one: `&gt;` has already become `>`.

pub mod ast;
pub mod constants;
pub mod error;
pub mod eval;
pub mod foreign;
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
pub mod types;
pub mod value;

#[cfg(test)]
mod tests;
