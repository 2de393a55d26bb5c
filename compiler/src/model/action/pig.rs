//! The `pig` action: one script of Pig Latin.

use crate::model::{
    Template,
    action::{HadoopSettings, Prepare},
};

#[derive(Clone, Debug)]
pub struct Pig {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub script: Template,
    /// `NAME=VALUE`, for the script.
    pub params: Vec<Template>,
    /// For the command line of Pig.
    pub arguments: Vec<Template>,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}
