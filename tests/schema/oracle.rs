//! The test oracle: libxml2's validation of documents, through `xmllint`.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use hpdlc_tests::run;

/// A verdict, with its messages.
#[derive(Debug, Clone)]
pub struct OracleVerdict {
    /// `None` if libxml2 reaches one of its own limits.
    pub is_valid: Option<bool>,
    pub words: Vec<String>,
}

pub struct Oracle {
    wrapper: PathBuf,
}

impl Oracle {
    /// `None` if `xmllint` is not installed.
    pub fn new(folder: &Path, schemas: &Path) -> Option<Oracle> {
        Command::new("xmllint")
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .ok()
            .filter(std::process::ExitStatus::success)?;
        let mut imports: Vec<String> = fs::read_dir(schemas)
            .expect("the schemas can be listed")
            .map(|entry| entry.expect("the folder can be read").path())
            .filter_map(|path| {
                let text = fs::read_to_string(&path).expect("a schema is text");
                let (_, rest) = text.split_once("targetNamespace=\"")?;
                let (namespace, _) = rest.split_once('"')?;
                let path = path.canonicalize().expect("it is there");
                Some(format!(
                    "<xs:import namespace=\"{namespace}\" schemaLocation=\"{}\"/>",
                    path.display()
                ))
            })
            .collect();
        imports.sort();
        let wrapper = folder.join("wrapper.xsd");
        let text = format!(
            "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">{}</xs:schema>",
            imports.join("\n")
        );
        fs::write(&wrapper, text).expect("the folder can be written");
        Some(Oracle { wrapper })
    }

    /// Validates documents; `folder` is for their files.
    pub fn judge(&self, documents: &[String], folder: &Path) -> Vec<OracleVerdict> {
        let name = |n: usize| format!("{n}.xml");
        for (n, document) in documents.iter().enumerate() {
            fs::write(folder.join(name(n)), document).expect("the folder can be written");
        }
        let finished = run(Command::new("xmllint")
            .args(["--noout", "--nonet", "--schema"])
            .arg(&self.wrapper)
            .args((0..documents.len()).map(name))
            .current_dir(folder));
        let mut words: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for line in finished.stderr.lines() {
            let number = line
                .split_once(".xml")
                .and_then(|(number, _)| number.parse().ok());
            if let Some(number) = number {
                words.entry(number).or_default().push(line.to_owned());
            }
        }
        (0..documents.len())
            .map(|n| {
                let words = words.remove(&n).unwrap_or_default();
                let says = |what: &str| words.iter().any(|line| line.ends_with(what));
                let is_valid = if says(".xml validates") {
                    Some(true)
                } else if says("internal error") {
                    None
                } else {
                    assert!(!words.is_empty(), "xmllint says nothing about {n}.xml");
                    Some(false)
                };
                OracleVerdict { is_valid, words }
            })
            .collect()
    }
}
