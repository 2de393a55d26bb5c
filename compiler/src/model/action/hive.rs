//! The `hive` action: one script or query, run by the Hive client.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, NamedFile, Prepare, linked},
};

#[derive(Clone, Debug)]
pub struct Hive {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub source: HiveSource,
    /// `NAME=VALUE`, for the script.
    pub params: Vec<Template>,
    /// For the command line of the client.
    pub arguments: Vec<Template>,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}

impl ActionBody for Hive {
    fn name(&self) -> &'static str {
        "hive"
    }

    fn settings(&self) -> Option<&HadoopSettings> {
        Some(&self.settings)
    }

    fn prepare(&self) -> Option<&Prepare> {
        Some(&self.prepare)
    }

    fn files(&self) -> Vec<NamedFile<'_>> {
        self.source
            .script()
            .chain(linked(&self.files, &self.archives))
            .collect()
    }
}

/// What `hive` and `hive2` run.
#[derive(Clone, Debug)]
pub enum HiveSource {
    /// The path of a file.
    Script(Template),
    /// The statements themselves.
    Query(Template),
}

impl HiveSource {
    pub fn template(&self) -> &Template {
        match self {
            HiveSource::Script(template) | HiveSource::Query(template) => template,
        }
    }

    /// The script's file, if it is one.
    pub(super) fn script(&self) -> impl Iterator<Item = NamedFile<'_>> {
        let script = match self {
            HiveSource::Script(script) => Some(("script", script)),
            HiveSource::Query(_) => None,
        };
        script.into_iter()
    }
}
