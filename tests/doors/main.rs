//! Workflows inside Rust programs: the macro (`examples/embedded`) and the build script (`examples/generated`).
//!
//! Each test takes a copy of an example, changes it as its author would, and looks at what cargo says and what the program
//! does. They share the target folder of this test, so that of a copy only the copy itself is compiled.

mod copy;
mod embedded;
mod generated;
mod program;
