//! Paths below folders, as messages show them.

use std::path::{Path, PathBuf};

/// `rest` in `folder`; paths in the current folder are written without `./`.
pub(super) fn below(folder: &Path, rest: &Path) -> PathBuf {
    if folder == Path::new(".") && !rest.as_os_str().is_empty() {
        rest.to_owned()
    } else {
        folder.join(rest)
    }
}
