//! The `map-reduce` action: one Hadoop job, described by its configuration.

use crate::action::{Choice, Empty, Form, PrepareOperation, Settings, Value};

body! {
    "map-reduce": MapReduce {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        program: MapReduceProgram<F> = choice,
        /// A class that completes the configuration in the launcher (`OozieActionConfigurator`).
        config_class: Option<F::Text> = optional "config-class",
        /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
        files: F::List<F::Text> = list "file",
        archives: F::List<F::Text> = list "archive",
        /// By the rules of the proposal of 2009: the configuration specifies the cluster and the user.
        of_proposal: bool = flag,
    }
}

/// The kinds of mapper and reducer.
#[derive(Clone, Debug)]
pub enum MapReduceProgram<F: Form> {
    /// Java classes, which the configuration specifies.
    Classes,
    /// Commands that read and write lines.
    Streaming(F::Boxed<Streaming<F>>),
    /// A C++ program.
    Pipes(F::Boxed<Pipes<F>>),
}

impl<F: Form> Empty for MapReduceProgram<F> {
    const EMPTY: MapReduceProgram<F> = MapReduceProgram::Classes;
}

impl<F: Form> MapReduceProgram<F> {
    pub(super) fn choice(&self) -> Choice<'_, F> {
        let (variant, values) = match self {
            MapReduceProgram::Classes => ("Classes", vec![]),
            MapReduceProgram::Streaming(streaming) => {
                ("Streaming", vec![Value::Struct(&**streaming)])
            }
            MapReduceProgram::Pipes(pipes) => ("Pipes", vec![Value::Struct(&**pipes)]),
        };
        Choice {
            name: "MapReduceProgram",
            variant,
            values,
        }
    }
}

body! {
    Streaming {
        mapper: Option<F::Text> = optional "streaming/mapper",
        reducer: Option<F::Text> = optional "streaming/reducer",
        record_reader: Option<F::Text> = optional "streaming/record-reader",
        /// `NAME=VALUE`
        record_reader_mappings: F::List<F::Text> = list "streaming/record-reader-mapping",
        /// `NAME=VALUE`
        env: F::List<F::Text> = list "streaming/env",
    }
}

body! {
    /// Classes of the Java side, and the program.
    Pipes {
        map: Option<F::Text> = optional "pipes/map",
        reduce: Option<F::Text> = optional "pipes/reduce",
        input_format: Option<F::Text> = optional "pipes/inputformat",
        partitioner: Option<F::Text> = optional "pipes/partitioner",
        writer: Option<F::Text> = optional "pipes/writer",
        /// A relative path is below the application; `#name` gives the link's name.
        program: Option<F::Text> = optional "pipes/program",
    }
}
