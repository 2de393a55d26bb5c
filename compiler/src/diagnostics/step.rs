//! A step of a way through a workflow, as messages show it.

/// `` `load` ``, or ``(error) `load` `` if an error leads there.
pub fn step(node: &str, is_error: bool) -> String {
    if is_error {
        format!("(error) `{node}`")
    } else {
        format!("`{node}`")
    }
}
