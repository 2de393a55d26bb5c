//! The `map-reduce` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::{
        MapReduce,
        map_reduce::{MapReduceProgram, Pipes, Streaming},
    },
    syntax::xml::Element,
};

pub(super) fn map_reduce(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> MapReduce {
    MapReduce {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        program: program(cx, body),
        config_class: template::of_child(body, "config-class", cx.sink),
        files: template::of_children(body, "file", cx.sink),
        archives: template::of_children(body, "archive", cx.sink),
        of_proposal: false,
    }
}

/// Oozie checks for `streaming` first (`MapReduceActionExecutor`).
fn program(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> MapReduceProgram {
    if let Some(element) = body.element("streaming") {
        return MapReduceProgram::Streaming(Box::new(Streaming {
            mapper: template::of_child(&element, "mapper", cx.sink),
            reducer: template::of_child(&element, "reducer", cx.sink),
            record_reader: template::of_child(&element, "record-reader", cx.sink),
            record_reader_mappings: template::of_children(
                &element,
                "record-reader-mapping",
                cx.sink,
            ),
            env: template::of_children(&element, "env", cx.sink),
        }));
    }
    let Some(element) = body.element("pipes") else {
        return MapReduceProgram::Classes;
    };
    MapReduceProgram::Pipes(Box::new(Pipes {
        map: template::of_child(&element, "map", cx.sink),
        reduce: template::of_child(&element, "reduce", cx.sink),
        input_format: template::of_child(&element, "inputformat", cx.sink),
        partitioner: template::of_child(&element, "partitioner", cx.sink),
        writer: template::of_child(&element, "writer", cx.sink),
        program: template::of_child(&element, "program", cx.sink),
    }))
}
