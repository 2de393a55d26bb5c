//! The arguments of a main class.

/// `false`: `arg` elements without text are not passed on.
const EMPTY_ARGS: &str = "oozie.action.null.args.allowed";

/// The `arg` elements of an action that its main class gets.
pub fn for_main_class(
    mut args: Vec<String>,
    setting: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    if setting(EMPTY_ARGS).is_some_and(|value| value.trim() == "false") {
        args.retain(|arg| !arg.trim().is_empty());
    }
    args
}
