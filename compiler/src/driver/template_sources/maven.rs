//! Maven's filtering of resources: `${name}` in their files is replaced by a property of the build.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// How many folders above a document may have the `pom.xml` of its module.
const MOST_FOLDERS: usize = 12;

/// The elements of a `pom.xml` that name a folder whose files may be filtered.
const FOLDERS: [&str; 2] = ["resource", "testResource"];

/// Whether a `pom.xml` in a folder above has the document filtered.
pub(super) fn filters(document: &Path) -> bool {
    let Ok(document) = document.canonicalize() else {
        return false;
    };
    let folders = document.ancestors().skip(1).take(MOST_FOLDERS);
    folders
        .filter_map(|folder| Some((folder, fs::read_to_string(folder.join("pom.xml")).ok()?)))
        .any(|(folder, pom)| {
            let filtered = filtered_folders(&pom);
            filtered
                .iter()
                .any(|below| document.starts_with(folder.join(below)))
        })
}

/// The folders, relative to that of the `pom.xml`, whose files are filtered.
fn filtered_folders(pom: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for name in FOLDERS {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let mut rest = pom;
        while let Some((_, behind)) = rest.split_once(&open) {
            let (resource, after) = behind.split_once(&close).unwrap_or((behind, ""));
            folders.extend(folder(resource));
            rest = after;
        }
    }
    folders
}

/// The folder of one element, if its files are filtered.
fn folder(resource: &str) -> Option<PathBuf> {
    let child = |name: &str| {
        let (_, rest) = resource.split_once(&format!("<{name}>"))?;
        Some(rest.split_once("</")?.0.trim())
    };
    if child("filtering") != Some("true") {
        return None;
    }
    let written = child("directory")?;
    let of_base = ["${project.basedir}", "${basedir}", "${pom.basedir}"];
    let below = of_base
        .iter()
        .find_map(|base| written.strip_prefix(base))
        .unwrap_or(written)
        .trim_start_matches('/');
    (!below.contains("${")).then(|| PathBuf::from(below))
}

/// The places of `${name}` with a dot in the name, which no variable has, where `is_wanted` holds for the name.
pub(super) fn dotted_names(text: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("${") {
        let start = from + at;
        from = start + 2;
        let rest = &text[from..];
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')))
            .unwrap_or(rest.len());
        let name = &rest[..length];
        if rest[length..].starts_with('}') && name.contains('.') && is_wanted(name) {
            places.push(start..from + length + 1);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pom_above_names_the_folders_that_are_filtered() {
        const POM: &str = "<project><build><resources>
<resource><directory>src/main/oozie</directory><filtering>true</filtering></resource>
<resource><directory>src/main/plain</directory></resource>
<resource><filtering>false</filtering><directory>src/main/off</directory></resource>
<resource><filtering>true</filtering><directory>${basedir}/src/main/more</directory></resource>
</resources></build></project>";
        let root = tempfile::tempdir().expect("a temporary folder");
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("it lies below")).expect("a folder");
            fs::write(path, text).expect("writes");
        };
        put("module/pom.xml", POM);
        for (path, expected) in [
            ("module/src/main/oozie/app/workflow.xml", true),
            ("module/src/main/more/workflow.xml", true),
            ("module/src/main/plain/workflow.xml", false),
            ("module/src/main/off/workflow.xml", false),
            ("module/workflow.xml", false),
            ("other/src/main/oozie/workflow.xml", false),
        ] {
            put(path, "");
            assert_eq!(filters(&root.path().join(path)), expected, "{path}");
        }
    }

    #[test]
    fn names_with_dots_are_found() {
        let text = "${a.b} ${c} ${d.e} ${f.g()} ${h.i-j}";
        let found = dotted_names(text, |name| name != "d.e");
        let found: Vec<&str> = found.into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, ["${a.b}", "${h.i-j}"]);
    }
}
