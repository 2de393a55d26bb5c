//! The `map-reduce` action.

use crate::{
    analysis::{
        action_types::{ActionType, TextVisitor},
        needed::{Need, Needs},
    },
    model::action::{
        MapReduce,
        map_reduce::{MapReduceProgram, Pipes, Streaming},
    },
};

impl ActionType for MapReduce {
    fn texts<'a>(&'a self, texts: &mut TextVisitor<'_, 'a>) {
        let MapReduce {
            settings: _,
            prepare: _,
            program,
            config_class,
            files,
            archives,
            of_proposal: _,
        } = self;
        match program {
            MapReduceProgram::Classes => {}
            MapReduceProgram::Streaming(streaming) => streaming_texts(streaming, texts),
            MapReduceProgram::Pipes(pipes) => pipes_texts(pipes, texts),
        }
        texts.text(config_class);
        texts.lists(&[files, archives]);
    }

    fn needs(&self, has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(if has_cluster {
            Need::Yarn
        } else {
            Need::Hadoop
        });
    }

    fn needs_remote_files(&self, _has_cluster: bool) -> bool {
        true
    }
}

fn streaming_texts<'a>(streaming: &'a Streaming, texts: &mut TextVisitor<'_, 'a>) {
    let Streaming {
        mapper,
        reducer,
        record_reader,
        record_reader_mappings,
        env,
    } = streaming;
    texts.text(mapper.iter().chain(reducer).chain(record_reader));
    texts.lists(&[record_reader_mappings, env]);
}

fn pipes_texts<'a>(pipes: &'a Pipes, texts: &mut TextVisitor<'_, 'a>) {
    let Pipes {
        map,
        reduce,
        input_format,
        partitioner,
        writer,
        program,
    } = pipes;
    let elements = [map, reduce, input_format, partitioner, writer, program];
    texts.text(elements.into_iter().flatten());
}
