//! The configuration of an action: every effective property, with the file and line that it comes from.

use std::{
    collections::BTreeMap,
    fs,
    path::{Component, Path},
};

use hpdlc_core::el::scope::Scope;
use hpdlc_files as files;
use hpdlc_program::table::{App, Program, Property, Settings, Template};

use crate::{
    configuration::{WinningValue, is_relative, parse_job_xml, winning},
    node_texts::text::{EntryText, NodeText, numbered},
};

/// The job in which texts are to be evaluated.
#[derive(Clone, Copy)]
pub struct NodeTextSources<'a> {
    pub program: &'static Program,
    pub app: &'static App,
    /// What the value of a text with the path of an application file begins with.
    pub app_path: &'a str,
    /// The job's properties.
    pub conf: &'a BTreeMap<String, String>,
    pub scope: &'a dyn Scope,
    /// Whether a text, as written, has a value only later.
    pub is_deferred: fn(&str) -> bool,
}

/// A property of a `job-xml` file.
struct FileProperty {
    value: String,
    file: String,
    line: u32,
}

impl NodeTextSources<'_> {
    /// The entries of an action's configuration, by name, including what the action gets from `job-xml` files. A
    /// file that will be missing or invalid when the action starts is an error of its `job-xml` element.
    pub(super) fn of_action(&self, settings: &'static Settings) -> Vec<NodeText> {
        let mut of_files: BTreeMap<String, FileProperty> = BTreeMap::new();
        let mut entries = Vec::new();
        let job_xml = settings.job_xml;
        for (n, &template) in (1..).zip(job_xml) {
            let mut entry = NodeText::of(numbered("job-xml", n, job_xml.len()), template);
            if let Err(error) = self.read_job_xml(template, &mut of_files) {
                entry.error = Some(error);
            }
            entries.push(entry);
        }
        let layers = [
            self.app.config_default,
            self.app.global,
            settings.configuration,
        ];
        entries.extend(self.of_layers(&layers, of_files));
        entries
    }

    /// The entries of a child's configuration, which has no files.
    pub(super) fn of_child(&self, settings: &'static Settings) -> Vec<NodeText> {
        self.of_layers(
            &[self.app.global, settings.configuration],
            BTreeMap::default(),
        )
    }

    fn of_layers(
        &self,
        layers: &[&'static [Property]],
        of_files: BTreeMap<String, FileProperty>,
    ) -> Vec<NodeText> {
        let mut by_name: BTreeMap<String, NodeText> = of_files
            .into_iter()
            .map(|(name, FileProperty { value, file, line })| {
                let text = EntryText::OfFile {
                    text: value,
                    file,
                    line,
                };
                let entry = NodeText::of_property(&name, text);
                (name, entry)
            })
            .collect();
        for winning in winning(self.app, self.conf, layers) {
            let property = winning.property;
            let template = property.value();
            let name = self.name_of(&property);
            let text = match winning.value {
                WinningValue::Own => EntryText::Template(template),
                WinningValue::Substituted(text) => EntryText::Instead(template, text.into_owned()),
                WinningValue::OfJob(text) => EntryText::OfJob {
                    template,
                    name: property.name().into_owned(),
                    text: text.to_owned(),
                    place: None,
                },
            };
            let entry = NodeText::of_property(&name, text);
            by_name.insert(name, entry);
        }
        by_name.into_values().collect()
    }

    /// The name of a property, verbatim if only a running job can evaluate it.
    fn name_of(&self, property: &Property) -> String {
        if (self.is_deferred)(&property.name()) {
            return property.name().into_owned();
        }
        property
            .evaluate_name(self.scope)
            .unwrap_or_else(|_| property.name().into_owned())
    }

    /// Reads a file if it already exists. One outside the application may still be created by an action.
    fn read_job_xml(
        &self,
        template: Template,
        found: &mut BTreeMap<String, FileProperty>,
    ) -> Result<(), String> {
        if (self.is_deferred)(&template.source()) {
            return Ok(());
        }
        let Ok(written) = template.evaluate(self.scope) else {
            // The entry of the element has the error.
            return Ok(());
        };
        let below = written
            .strip_prefix(self.app_path)
            .filter(|rest| rest.starts_with('/'))
            .map_or(written.as_str(), |rest| rest.trim_start_matches('/'));
        let (text, file) = if is_relative(below) {
            let Some(text) = self.embedded(below) else {
                return Err(format!("JA008: the application has no file {below}"));
            };
            (text, shown(self.app, below))
        } else {
            let Ok(path) = files::local_path(&written) else {
                return Ok(());
            };
            let Ok(text) = fs::read_to_string(&path) else {
                return Ok(());
            };
            (text, path.display().to_string())
        };
        let parsed = parse_job_xml(&text, Path::new(&file))
            .map_err(|error| format!("{}: {}", error.code, error.message))?;
        for property in parsed.properties {
            let line = u32::try_from(property.line).unwrap_or(u32::MAX);
            let value = FileProperty {
                value: property.value,
                file: file.clone(),
                line,
            };
            found.insert(property.name, value);
        }
        Ok(())
    }

    /// The text of an embedded file, by its path relative to the application's folder.
    fn embedded(&self, path: &str) -> Option<String> {
        let mut wanted: Vec<&str> = Vec::new();
        let whole = Path::new(self.app.folder).join(path);
        for component in whole.components() {
            match component {
                Component::Normal(part) => wanted.push(part.to_str()?),
                Component::CurDir => {}
                Component::ParentDir => {
                    wanted.pop()?;
                }
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        let wanted = wanted.join("/");
        let file = self.program.files.iter().find(|file| file.path == wanted)?;
        Some(String::from_utf8_lossy(file.bytes).into_owned())
    }
}

/// A file of the application as shown in messages: beside the document that was compiled.
fn shown(app: &App, path: &str) -> String {
    match app.source.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{path}"),
        None => path.to_owned(),
    }
}
