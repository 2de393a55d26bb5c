//! The `hive2` action: one script or query, run by HiveServer2.

use crate::model::{
    Template,
    action::{HadoopSettings, Prepare, hive::HiveSource},
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
