use crate::diagnostics::{Diagnostic, code, message};

code!("H0004", application_too_large);

/// The files of the application are too large to be embedded.
pub(crate) struct ApplicationTooLarge {
    /// The folder, as given.
    pub(crate) folder: String,
    /// In bytes.
    pub(crate) size: u64,
    /// In bytes.
    pub(crate) limit: u64,
    /// Path and size of the largest files, largest first.
    pub(crate) largest: Vec<(String, u64)>,
}

message!(ApplicationTooLarge, |folder, size, limit, largest| {
    let list: Vec<String> = largest
        .iter()
        .map(|(path, size)| format!("`{path}` ({})", mebibytes(*size)))
        .collect();
    Diagnostic::for_path(
        &CODE,
        folder,
        format!(
            "the files of the application take {}, and at most {} are embedded",
            mebibytes(size),
            mebibytes(limit)
        ),
    )
    .note(format!("the largest are {}", list.join(", ")))
    .help("name what the program does not need at run time in `.hpdlignore`, one pattern a line")
    .help("`--files external` will leave files outside the executable; it is not built yet")
});

/// With one decimal, rounded up so that the excess is always visible.
fn mebibytes(bytes: u64) -> String {
    let tenths = bytes.saturating_mul(10).div_ceil(1024 * 1024);
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up() {
        assert_eq!(mebibytes(64 * 1024 * 1024), "64.0 MiB");
        assert_eq!(mebibytes(64 * 1024 * 1024 + 1), "64.1 MiB");
        assert_eq!(mebibytes(0), "0.0 MiB");
    }
}
