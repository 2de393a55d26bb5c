//! The workflow of an application as a file of Rust, in the place of its document.

use std::{collections::BTreeSet, path::PathBuf};

use crate::{
    diagnostics::Sink,
    driver::{Failure, location::Location, migrate::FileContent},
    lower::{self, Language},
    rust,
    source::SourceMap,
    syntax::xml,
};

/// Puts the Rust of the application's workflow into the place of its document. Its other files stay as they are, among them the
/// workflows of `sub-workflow` actions, which a workflow in Rust runs from their folders.
///
/// # Errors
///
/// The application is no workflow, or has parts that Rust cannot say.
pub(super) fn replace(
    written: &mut [(PathBuf, FileContent)],
    location: &Location,
    names: &BTreeSet<PathBuf>,
) -> Result<(), Failure> {
    let shown = location.shown(&location.document);
    let wanted = location.document.file_name().map(PathBuf::from);
    let document = written
        .iter_mut()
        .find(|(name, _)| Some(name) == wanted.as_ref());
    let Some((name, content)) = document else {
        return Err(Failure::new(format!(
            "`{shown}` cannot be written in Rust: it is not in the folder that is migrated"
        ))
        .help("name the document"));
    };
    let FileContent::Bytes(bytes) = content else {
        return Err(Failure::new(format!(
            "`{shown}` is no document to write in Rust"
        )));
    };
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut sources = SourceMap::default();
    let file = sources.add(shown.clone(), text.clone());
    let mut sink = Sink::default();
    let document = xml::parse(file, &text, &mut sink);
    let app = document
        .as_ref()
        .filter(|document| lower::language(document) == Language::Workflow)
        .and_then(|document| lower::workflow(document, None, &mut sink));
    let (Some(document), Some(app)) = (document, app) else {
        return Err(Failure::new(format!(
            "`{shown}` cannot be written in Rust: only workflows can, and it is none"
        ))
        .help("name the `workflow.xml` that it runs"));
    };
    let defaults = "config-default.xml";
    let has_defaults = ["configuration.xml", defaults]
        .iter()
        .any(|file| names.contains(&name.with_file_name(file)));
    match rust::from_xml(&document, &app, has_defaults.then_some(defaults)) {
        Ok(rust) => {
            *content = FileContent::Bytes(rust.into_bytes());
            name.set_extension("rs");
            Ok(())
        }
        Err(refusal) => Err(Failure::new(format!("`{shown}` cannot be written in Rust"))
            .note(refusal.message)
            .help("leave the document in XML, which `include_workflow!` compiles into a Rust program, or change this part")),
    }
}
