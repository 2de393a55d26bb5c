//! The arguments of a main class.

/// `false`: an `arg` without text is no argument of the main class.
const EMPTY_ARGS: &str = "oozie.action.null.args.allowed";

/// Of the `arg` elements of an action, those that its main class gets.
pub fn for_main_class(
    mut args: Vec<String>,
    setting: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    if setting(EMPTY_ARGS).is_some_and(|value| value.trim() == "false") {
        args.retain(|arg| !arg.trim().is_empty());
    }
    args
}
