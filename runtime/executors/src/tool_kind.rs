//! The tools that an action may run.

use serde::{Deserialize, Serialize};

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
}
