//! The `java` action: a main class with the application's `lib/*.jar`.

use crate::model::{
    Template,
    action::{HadoopSettings, Prepare},
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

#[derive(Clone, Debug)]
pub enum JavaOpts {
    None,
    /// `java-opts`: one text, split at blanks.
    Text(Template),
    /// `java-opt`, repeated: one option each.
    List(Vec<Template>),
}
