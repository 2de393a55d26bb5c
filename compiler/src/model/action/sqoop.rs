//! The `sqoop` action: one command of Sqoop.

use crate::model::{
    Template,
    action::{HadoopSettings, Prepare},
};

#[derive(Clone, Debug)]
pub struct Sqoop {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub command: SqoopCommand,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}

#[derive(Clone, Debug)]
pub enum SqoopCommand {
    /// `command`: one text, split at blanks.
    Text(Template),
    /// `arg`, repeated: one argument each.
    Args(Vec<Template>),
}
