//! Names in a folder that are nearly a given one.

use std::{fs, path::Path};

use hpdlc_core::slips::is_slip;

use crate::diagnostics::nearest;

/// The names of the files in a folder, in order; none if it cannot be read.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort_unstable();
    names
}

/// The one that a slip has made of `name`.
pub(super) fn slip<'n>(name: &str, names: &'n [String]) -> Option<&'n str> {
    let mut slips = names.iter().filter(|other| is_slip(name, other));
    slips.next().map(String::as_str)
}

/// The one most similar to `name`, if one is similar enough.
pub(super) fn near<'n>(name: &str, names: &'n [String]) -> Option<&'n str> {
    slip(name, names).or_else(|| nearest(name, names.iter().map(String::as_str)))
}
