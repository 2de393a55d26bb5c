//! The corpus: real applications, which are outside the repository.

use std::path::{Path, PathBuf};

use super::folder::{files_below, shared};

/// The folder of the corpus. If there is none, says that the test is skipped.
pub fn folder() -> Option<PathBuf> {
    let corpus = shared("corpus");
    if corpus.is_none() {
        eprintln!("skipped: there is no corpus; HPDL_SHARED can name its parent folder");
    }
    corpus
}

/// The XML documents below a folder, sorted.
pub fn documents_below(folder: &Path) -> Vec<PathBuf> {
    let mut documents = files_below(folder);
    documents.retain(|path| path.extension().is_some_and(|ending| ending == "xml"));
    documents
}

/// The documents of the corpus that are workflows by their name. If there is no corpus, says that the test is skipped.
pub fn workflows() -> Option<Vec<PathBuf>> {
    let mut documents = documents_below(&folder()?);
    documents.retain(|path| path.file_name().is_some_and(|name| name == "workflow.xml"));
    assert!(!documents.is_empty(), "the corpus has workflows");
    Some(documents)
}
