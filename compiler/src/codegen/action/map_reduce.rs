//! The `map-reduce` action, and `hadoop` of the dialect of 2009.

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, tool},
        context::AppCx,
        functions::Owner,
    },
    model::{
        Template,
        action::{
            MapReduce,
            map_reduce::{MapReduceProgram, Pipes, Streaming},
        },
    },
};

impl ActionStatic for MapReduce {
    const TABLE: &'static [&'static str] = tool::TABLE;

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
        let MapReduce {
            settings,
            prepare,
            program,
            config_class,
            files,
            archives,
        } = self;
        let shared: Elements<'_> = &[
            ("config-class", config_class.as_slice()),
            ("file", files),
            ("archive", archives),
        ];
        let (kind, own): (_, Vec<(&'static str, &[Template])>) = match program {
            MapReduceProgram::Classes => ("MapReduce", Vec::new()),
            MapReduceProgram::Streaming(streaming) => ("Streaming", streaming_elements(streaming)),
            MapReduceProgram::Pipes(pipes) => ("Pipes", pipes_elements(pipes)),
        };
        let elements: Vec<_> = own.iter().chain(shared).copied().collect();
        tool::body_expr(cx, owner, kind, (settings, prepare), &elements)
    }
}

fn streaming_elements(streaming: &Streaming) -> Vec<(&'static str, &[Template])> {
    let Streaming {
        mapper,
        reducer,
        record_reader,
        record_reader_mappings,
        env,
    } = streaming;
    vec![
        ("streaming/mapper", mapper.as_slice()),
        ("streaming/reducer", reducer.as_slice()),
        ("streaming/record-reader", record_reader.as_slice()),
        ("streaming/record-reader-mapping", record_reader_mappings),
        ("streaming/env", env),
    ]
}

fn pipes_elements(pipes: &Pipes) -> Vec<(&'static str, &[Template])> {
    let Pipes {
        map,
        reduce,
        input_format,
        partitioner,
        writer,
        program,
    } = pipes;
    vec![
        ("pipes/map", map.as_slice()),
        ("pipes/reduce", reduce.as_slice()),
        ("pipes/inputformat", input_format.as_slice()),
        ("pipes/partitioner", partitioner.as_slice()),
        ("pipes/writer", writer.as_slice()),
        ("pipes/program", program.as_slice()),
    ]
}
