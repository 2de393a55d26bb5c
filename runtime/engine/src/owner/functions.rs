//! The functions of `rust` actions, which are part of the executable itself.

use hpdlc_executors::rust;
use hpdlc_host::exit::RunError;
use hpdlc_program::table::Program;

/// Refuses a program whose actions call functions that this executable does not have: a job would end at the first of them.
///
/// # Errors
///
/// Exit 2, with the names.
pub(super) fn check(program: &Program) -> Result<(), RunError> {
    let missing = rust::missing(program);
    let Some((first, others)) = missing.split_first() else {
        return Ok(());
    };
    let named = match others {
        [] => format!("the function `{first}`"),
        others => format!("the functions `{first}`, `{}`", others.join("`, `")),
    };
    Err(RunError::usage(format!(
        "actions of the {} `{}` call {named}, and this program was started without",
        program.word(),
        program.name(),
    ))
    .with_help("give `init_with` the program's actions, by `Parts::with_actions` in its `main`"))
}
