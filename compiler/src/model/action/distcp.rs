//! The `distcp` action: a copy between file systems as a Hadoop job.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, Prepare},
};

#[derive(Clone, Debug)]
pub struct Distcp {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub java_opts: Option<Template>,
    /// The command line of `distcp`: options, sources, target.
    pub args: Vec<Template>,
}

impl ActionBody for Distcp {
    fn name(&self) -> &'static str {
        "distcp"
    }

    fn settings(&self) -> Option<&HadoopSettings> {
        Some(&self.settings)
    }

    fn prepare(&self) -> Option<&Prepare> {
        Some(&self.prepare)
    }
}
