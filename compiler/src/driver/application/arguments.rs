//! The command-line arguments that all commands reading an application share.

use std::collections::BTreeMap;

use crate::{
    diagnostics::{LintLevels, Rules},
    driver::{mapping::Mapping, properties::PropertyArguments},
    model::OwnFunction,
};

/// The command line besides PATH.
#[derive(Debug, Clone)]
pub struct Arguments {
    pub properties: PropertyArguments,
    pub mappings: Vec<Mapping>,
    /// The functions of the program that expressions can call: those of its `main`, and of its extensions.
    pub functions: Vec<OwnFunction>,
    pub levels: LintLevels,
    pub purpose: Purpose,
    /// The settings of the site, if any: from the file that executables read on this machine.
    pub site: Option<BTreeMap<String, String>>,
    /// The user of the job, unless the properties set it; by default the current user.
    pub user: Option<String>,
    /// The given properties only find what the application names: others may come, and none is known to be missing.
    pub only_finds: bool,
}

impl Arguments {
    /// An empty command line, for a compiler with these `rules`.
    pub fn new(rules: Rules) -> Arguments {
        Arguments {
            properties: PropertyArguments::default(),
            mappings: Vec::new(),
            functions: Vec::new(),
            levels: LintLevels::new(rules),
            purpose: Purpose::default(),
            site: None,
            user: None,
            only_finds: false,
        }
    }
}

/// What the application is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// To be compiled. What is unknown now will be missing in the executable.
    #[default]
    Program,
    /// To be checked. What depends on properties that are not given yet is no mistake.
    Judgment,
    /// To be validated against the published schemas, and nothing else. Documents of any kind are.
    Schemas,
}
