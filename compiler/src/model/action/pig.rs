//! The `pig` action: one script of Pig Latin.

use crate::model::{
    Template,
    action::{HadoopSettings, Prepare},
};

#[derive(Clone, Debug)]
pub struct Pig {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    /// `user@host` where it runs by ssh: the dialect of 2009 has it.
    pub host: Option<Template>,
    pub script: Template,
    /// `NAME=VALUE`, for the script.
    pub params: Vec<Template>,
    /// For the command line of Pig.
    pub arguments: Vec<Template>,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}
