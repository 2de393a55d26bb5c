//! The properties files beside the documents of a tree, and the documents that they refer to.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use hpdlc_core::{properties, substitute};

use crate::{codegen::report::PropertiesFile, driver::locate::STARTED_BY};

/// Larger files are not read as properties.
const MAX_SIZE: u64 = 1024 * 1024;

/// The properties files in the folders of `documents`, which are paths as messages show them; sorted.
pub fn beside(documents: &[String]) -> Vec<PropertiesFile> {
    let folders: BTreeSet<&Path> = documents
        .iter()
        .filter_map(|document| Path::new(document).parent())
        .collect();
    let mut files: BTreeSet<PathBuf> = BTreeSet::new();
    for folder in folders {
        let here = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        // The folder of a document inside an archive does not exist.
        let Ok(entries) = fs::read_dir(here) else {
            continue;
        };
        let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
        let paths = names.map(|name| folder.join(name));
        files.extend(paths.filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "properties")
        }));
    }
    files
        .into_iter()
        .filter_map(|path| job_file(&path, documents))
        .collect()
}

/// Reads a properties file of a job; `None` if it is not one.
fn job_file(path: &Path, documents: &[String]) -> Option<PropertiesFile> {
    // Opening a pipe would block until it has a writer.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(path)
        .ok()?
        .take(MAX_SIZE)
        .read_to_end(&mut bytes)
        .ok()?;
    let entries = properties::parse(&bytes).ok()?.entries;
    let values: BTreeMap<String, String> = entries
        .into_iter()
        .map(|entry| (entry.key, entry.value))
        .collect();
    let resolved = substitute::resolve_all(&values).unwrap_or_else(|_| values.clone());
    let starts = STARTED_BY.iter().find_map(|(name, usual)| {
        let value = resolved.get(*name)?;
        named(value, Some(usual), path, documents)
    });
    Some(PropertiesFile {
        path: path.display().to_string(),
        starts,
        documents: resolved
            .values()
            .filter_map(|value| named(value, None, path, documents))
            .collect(),
        names: values.into_keys().collect(),
    })
}

/// The document that the end of a path refers to: the one with the most names in common, if it is unique; the folder's name
/// must be one of them unless the document is beside the file. `usual` is the document of a folder.
fn named(value: &str, usual: Option<&str>, file: &Path, documents: &[String]) -> Option<usize> {
    let mut parts: Vec<&str> = value.split('/').filter(|part| !part.is_empty()).collect();
    let is_document = parts
        .last()
        .is_some_and(|last| last.to_ascii_lowercase().ends_with(".xml"));
    match usual {
        _ if is_document => {}
        Some(usual) => parts.push(usual),
        None => return None,
    }
    let mut ranked: Vec<((usize, bool), usize)> = documents
        .iter()
        .enumerate()
        .filter_map(|(number, document)| {
            let document = Path::new(document);
            let own: Vec<&str> = document.iter().filter_map(|part| part.to_str()).collect();
            let n_common = own
                .iter()
                .rev()
                .zip(parts.iter().rev())
                .take_while(|(own, part)| own == part)
                .count();
            let is_beside = document.parent() == file.parent();
            let is_named = n_common > 1 || (n_common == 1 && is_beside);
            is_named.then_some(((n_common, is_beside), number))
        })
        .collect();
    ranked.sort_unstable();
    let (best, number) = ranked.pop()?;
    ranked
        .last()
        .is_none_or(|(next, _)| *next < best)
        .then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_name_documents_by_the_end_of_their_paths() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().display().to_string();
        let documents: Vec<String> = [
            "a/coordinator.xml",
            "a/workflow.xml",
            "b/workflow.xml",
            "mail/workflow.xml",
        ]
        .iter()
        .map(|path| format!("{root}/{path}"))
        .collect();
        for name in ["a", "b", "mail"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        fs::write(
            folder.path().join("a/job.properties"),
            "apps=hdfs://nn/apps\noozie.coord.application.path=${apps}/x\nwf=${apps}/b/workflow.xml\nmail=${apps}/mail\n",
        )
        .expect("writes");
        fs::write(folder.path().join("a/notes.txt"), "x=1\n").expect("writes");
        let found = beside(&documents);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, format!("{root}/a/job.properties"));
        assert_eq!(found[0].starts, Some(0));
        // Without a document's name, a folder may mean any document.
        assert_eq!(found[0].documents, BTreeSet::from([2]));
        assert!(found[0].names.contains("apps"));
    }
}
