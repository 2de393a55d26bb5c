//! Actions that a tool of Hadoop does, or of a system on it: one struct for all of them, since each is a list of texts.

use serde::{Deserialize, Serialize};

use crate::table::{PrepareOperation, Settings, action::ActionDef};

/// One run of a tool. Its elements have the names of the schema; those of `streaming` and `pipes` are below that name, as in
/// `streaming/mapper`.
#[derive(Debug)]
pub struct Tool {
    pub kind: ToolKind,
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
    /// It follows the rules of the proposal of 2009, which lets the configuration name the cluster and the user.
    pub of_proposal: bool,
}

impl Tool {
    /// What stands for the elements that are not written; every tool says its kind.
    pub const EMPTY: Tool = Tool {
        kind: ToolKind::MapReduce,
        settings: Settings::EMPTY,
        prepare: &[],
        of_proposal: false,
    };
}

impl ActionDef for Tool {
    fn type_name(&self) -> &'static str {
        self.kind.type_name()
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        self.kind.elements()
    }

    fn prepare(&self) -> &'static [PrepareOperation] {
        self.prepare
    }
}

/// What is run. It is stored with each attempt, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolKind {
    Distcp,
    Hive,
    Hive2,
    /// A job of Java classes, which its configuration names.
    MapReduce,
    Pig,
    /// A job of a C++ program.
    Pipes,
    Spark,
    Sqoop,
    /// A job of commands that read and write lines.
    Streaming,
}

impl ToolKind {
    /// Oozie's name of the type.
    pub fn type_name(self) -> &'static str {
        match self {
            ToolKind::Distcp => "distcp",
            ToolKind::Hive => "hive",
            ToolKind::Hive2 => "hive2",
            ToolKind::MapReduce | ToolKind::Pipes | ToolKind::Streaming => "map-reduce",
            ToolKind::Pig => "pig",
            ToolKind::Spark => "spark",
            ToolKind::Sqoop => "sqoop",
        }
    }

    /// The elements of the type that hold a text, in the order of the schema.
    pub fn elements(self) -> &'static [&'static str] {
        match self {
            ToolKind::Distcp => &["java-opts", "arg"],
            ToolKind::Hive => &["script", "query", "param", "argument", "file", "archive"],
            ToolKind::Hive2 => &[
                "jdbc-url", "password", "script", "query", "param", "argument", "file", "archive",
            ],
            ToolKind::MapReduce => &["config-class", "file", "archive"],
            ToolKind::Pig => &["script", "param", "argument", "file", "archive"],
            ToolKind::Pipes => &[
                "pipes/map",
                "pipes/reduce",
                "pipes/inputformat",
                "pipes/partitioner",
                "pipes/writer",
                "pipes/program",
                "config-class",
                "file",
                "archive",
            ],
            ToolKind::Spark => &[
                "master",
                "mode",
                "name",
                "class",
                "jar",
                "spark-opts",
                "arg",
                "file",
                "archive",
            ],
            ToolKind::Sqoop => &["command", "arg", "file", "archive"],
            ToolKind::Streaming => &[
                "streaming/mapper",
                "streaming/reducer",
                "streaming/record-reader",
                "streaming/record-reader-mapping",
                "streaming/env",
                "config-class",
                "file",
                "archive",
            ],
        }
    }
}
