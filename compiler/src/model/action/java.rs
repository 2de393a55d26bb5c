//! The `java` action: a main class with the application's `lib/*.jar`.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, NamedFile, Prepare, linked},
};

#[derive(Clone, Debug)]
pub struct Java {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub main_class: Template,
    pub java_opts: JavaOpts,
    pub args: Vec<Template>,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
    pub capture_output: bool,
}

impl ActionBody for Java {
    fn name(&self) -> &'static str {
        "java"
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

#[derive(Clone, Debug)]
pub enum JavaOpts {
    None,
    /// `java-opts`: one text, split at blanks.
    Text(Template),
    /// `java-opt`, repeated: one option each.
    List(Vec<Template>),
}
