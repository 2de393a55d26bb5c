//! The `distcp` action: a copy between file systems as a Hadoop job.

use crate::model::{
    Template,
    action::{HadoopSettings, Prepare},
};

#[derive(Clone, Debug)]
pub struct Distcp {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub java_opts: Option<Template>,
    /// The command line of `distcp`: options, sources, target.
    pub args: Vec<Template>,
}
