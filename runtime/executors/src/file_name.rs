//! Functions on file names.

/// Whether it is a shared library for the dynamic linker.
pub fn is_library(name: &str) -> bool {
    name.ends_with(".so") || name.contains(".so.")
}

/// The part after the last slash.
pub fn base_name(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path)
}
