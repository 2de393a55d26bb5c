//! What the command line says to every command that reads an application.

use std::collections::BTreeMap;

use crate::{
    diagnostics::{LintLevels, Rules},
    driver::{mapping::Mapping, properties::PropertyArguments},
};

/// What a command line says besides PATH.
#[derive(Debug, Clone)]
pub struct Arguments {
    pub properties: PropertyArguments,
    pub mappings: Vec<Mapping>,
    pub levels: LintLevels,
    pub purpose: Purpose,
    /// The settings of the site, where there are any: the file that executables read here.
    pub site: Option<BTreeMap<String, String>>,
    /// Whose job it will be, unless the properties say it; the current user where nobody says so.
    pub user: Option<String>,
}

impl Arguments {
    /// A command line that says nothing, to a compiler that has `rules`.
    pub fn new(rules: Rules) -> Arguments {
        Arguments {
            properties: PropertyArguments::default(),
            mappings: Vec::new(),
            levels: LintLevels::new(rules),
            purpose: Purpose::default(),
            site: None,
            user: None,
        }
    }
}

/// What the application is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// To be compiled. What is not known now will be missing in the executable.
    #[default]
    Program,
    /// To be judged. What depends on properties that are not given yet is no mistake.
    Judgment,
    /// To be held against the published schemas, and against nothing else. Documents of any kind are.
    Schemas,
}
