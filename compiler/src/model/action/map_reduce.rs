//! The `map-reduce` action: one Hadoop job, described by its configuration.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, NamedFile, Prepare, linked},
};

#[derive(Clone, Debug)]
pub struct MapReduce {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub program: MapReduceProgram,
    /// A class that completes the configuration in the launcher (`OozieActionConfigurator`).
    pub config_class: Option<Template>,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}

impl ActionBody for MapReduce {
    fn name(&self) -> &'static str {
        "map-reduce"
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

/// The kinds of mapper and reducer.
#[derive(Clone, Debug)]
pub enum MapReduceProgram {
    /// Java classes, which the configuration specifies.
    Classes,
    /// Commands that read and write lines.
    Streaming(Box<Streaming>),
    /// A C++ program.
    Pipes(Box<Pipes>),
}

#[derive(Clone, Debug)]
pub struct Streaming {
    pub mapper: Option<Template>,
    pub reducer: Option<Template>,
    pub record_reader: Option<Template>,
    /// `NAME=VALUE`
    pub record_reader_mappings: Vec<Template>,
    /// `NAME=VALUE`
    pub env: Vec<Template>,
}

/// Classes of the Java side, and the program.
#[derive(Clone, Debug)]
pub struct Pipes {
    pub map: Option<Template>,
    pub reduce: Option<Template>,
    pub input_format: Option<Template>,
    pub partitioner: Option<Template>,
    pub writer: Option<Template>,
    /// A relative path is below the application; `#name` gives the link's name.
    pub program: Option<Template>,
}
