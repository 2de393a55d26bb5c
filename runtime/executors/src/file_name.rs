//! What the name of a file tells.

/// Whether it is a library for the system's linker.
pub fn is_library(name: &str) -> bool {
    name.ends_with(".so") || name.contains(".so.")
}

/// The part behind the last slash.
pub fn base_name(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path)
}
