//! The `spark` action: one application for `spark-submit`.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, NamedFile, Prepare, linked},
};

#[derive(Clone, Debug)]
pub struct Spark {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub master: Template,
    /// `client` or `cluster`.
    pub mode: Option<Template>,
    pub name: Template,
    /// The main class; absent for Python and R.
    pub class: Option<Template>,
    /// A JAR, or a file of Python or R.
    pub jar: Template,
    /// Options of `spark-submit`, in one text.
    pub spark_opts: Option<Template>,
    pub args: Vec<Template>,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}

impl ActionBody for Spark {
    fn name(&self) -> &'static str {
        "spark"
    }

    fn settings(&self) -> Option<&HadoopSettings> {
        Some(&self.settings)
    }

    fn prepare(&self) -> Option<&Prepare> {
        Some(&self.prepare)
    }

    fn files(&self) -> Vec<NamedFile<'_>> {
        linked(&self.files, &self.archives).collect()
    }
}
