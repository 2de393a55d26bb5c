//! The `hive` action: one script or query, run by the Hive client.

use crate::model::{
    Template,
    action::{HadoopSettings, Prepare},
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
}
