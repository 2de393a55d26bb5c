//! The `hive2` action: one script or query, run by HiveServer2.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, NamedFile, Prepare, hive::HiveSource, linked},
};

#[derive(Clone, Debug)]
pub struct Hive2 {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub jdbc_url: Template,
    pub password: Option<Template>,
    pub source: HiveSource,
    /// `NAME=VALUE`, for the script.
    pub params: Vec<Template>,
    /// For the command line of `beeline`.
    pub arguments: Vec<Template>,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}

impl ActionBody for Hive2 {
    fn name(&self) -> &'static str {
        "hive2"
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
