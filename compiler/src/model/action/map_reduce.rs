//! The `map-reduce` action: one Hadoop job, described by its configuration.

use hpdlc_core::action;

use crate::model::{
    Template,
    action::{ActionBody, NamedFile, Parsed, linked},
};

pub type MapReduce = action::MapReduce<Parsed>;
pub type MapReduceProgram = action::MapReduceProgram<Parsed>;
pub type Streaming = action::Streaming<Parsed>;
pub type Pipes = action::Pipes<Parsed>;

impl ActionBody for MapReduce {
    fn files(&self) -> Vec<NamedFile<'_>> {
        linked(&self.files, &self.archives).collect()
    }

    fn has_input_properties(&self) -> bool {
        true
    }

    fn commands(&self) -> Vec<Vec<&Template>> {
        match &self.program {
            MapReduceProgram::Streaming(streaming) => {
                let commands = [&streaming.mapper, &streaming.reducer];
                commands.into_iter().flatten().map(|it| vec![it]).collect()
            }
            MapReduceProgram::Classes | MapReduceProgram::Pipes(_) => Vec::new(),
        }
    }
}
