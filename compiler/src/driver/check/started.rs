//! Which document of a tree the given properties start: `-c` applies to that document, and to those it starts.

use std::path::Path;

use crate::driver::{application::identity, locate::STARTED_BY, location::Location};

/// The index in `locations` of the document that the properties start, if they specify one. `property` returns their values,
/// with references substituted; `files` are the files that define them.
pub(super) fn started<'p>(
    locations: &[Location],
    files: &[impl AsRef<Path>],
    property: impl Fn(&str) -> Option<&'p str>,
) -> Option<usize> {
    // A bundle's properties may name the coordinators too.
    STARTED_BY.iter().find_map(|(name, usual)| {
        let path = property(name)?;
        let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let document = match parts.last() {
            Some(last) if last.to_ascii_lowercase().ends_with(".xml") => parts.pop()?,
            Some(_) | None => usual,
        };
        let rank = |location: &Location| {
            let own = location.document.file_name()?.to_str()?;
            if own != document {
                return None;
            }
            let folder = identity(&location.folder);
            let names = folder.iter().rev();
            let n_common = names
                .zip(parts.iter().rev())
                .take_while(|(own, part)| own == *part)
                .count();
            let is_beside = files.iter().any(|file| {
                let beside = identity(file.as_ref());
                beside.parent().is_some_and(|beside| beside == folder)
            });
            Some((n_common, is_beside))
        };
        let ranked = locations.iter().enumerate();
        let ranked = ranked.filter_map(|(at, location)| Some((rank(location)?, at)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort();
        let (best, at) = ranked.pop()?;
        // If several match equally well, the document is ambiguous.
        let is_alone = ranked.last().is_none_or(|(next, _)| *next < best);
        is_alone.then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(property: (&str, &str), expected: Option<&str>) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let locations = [
            "a/workflow.xml",
            "a/coordinator.xml",
            "b/workflow.xml",
            "b/sub/workflow.xml",
            "c/other.xml",
        ]
        .map(|path| {
            let document = folder.path().join(path);
            std::fs::create_dir_all(document.parent().expect("it lies below")).expect("a folder");
            std::fs::write(&document, "").expect("writes");
            Location {
                folder: document.parent().expect("it lies below").to_owned(),
                document,
                archive: None,
            }
        });
        let files = [folder.path().join("b/sub/job.properties")];
        let found = started(&locations, &files, |name| {
            (name == property.0).then_some(property.1)
        });
        let found = found.map(|at| locations[at].document.clone());
        assert_eq!(
            found,
            expected.map(|path| folder.path().join(path)),
            "{property:?}"
        );
    }

    #[test]
    fn the_document_that_a_path_ends_with_is_started() {
        const WORKFLOW: &str = "oozie.wf.application.path";
        check((WORKFLOW, "hdfs://nn/apps/a"), Some("a/workflow.xml"));
        check((WORKFLOW, "hdfs://nn/apps/b/"), Some("b/workflow.xml"));
        check(
            (WORKFLOW, "/x/b/sub/workflow.xml"),
            Some("b/sub/workflow.xml"),
        );
        check((WORKFLOW, "/x/c/other.xml"), Some("c/other.xml"));
        // No folder name matches: the one beside the properties.
        check((WORKFLOW, "/x/y"), Some("b/sub/workflow.xml"));
        check((WORKFLOW, "/x/none.xml"), None);
        check(
            ("oozie.coord.application.path", "/x/y"),
            Some("a/coordinator.xml"),
        );
        check(("oozie.bundle.application.path", "/x/y"), None);
        check(("queue", "a"), None);
    }
}
