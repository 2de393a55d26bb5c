//! The two APIs of Hadoop's `map-reduce`: classes of the API that is not selected.
//!
//! Oozie submits by `JobClient`, which takes the old API unless a property selects the new one; `Job.setUseNewAPI` rejects
//! classes of the old API where the new one is selected.

use super::{literal, mixed_map_reduce_apis::MixedMapReduceApis, setting};
use crate::{
    diagnostics::Sink,
    lints::{
        map_reduce_without_directories::MapReduceWithoutDirectories,
        unused_map_reduce_classes::UnusedMapReduceClass,
    },
    model::{
        Action, Node, WorkflowApp,
        action::{MapReduce, map_reduce::MapReduceProgram},
    },
};

/// The properties of a role: the one that selects the new API, the class of the old API, and the names of the class of the
/// new one.
struct ClassRole {
    choice: &'static str,
    old: &'static str,
    new: [&'static str; 2],
}

const ROLES: [ClassRole; 2] = [
    ClassRole {
        choice: "mapred.mapper.new-api",
        old: "mapred.mapper.class",
        new: ["mapreduce.job.map.class", "mapreduce.map.class"],
    },
    ClassRole {
        choice: "mapred.reducer.new-api",
        old: "mapred.reducer.class",
        new: ["mapreduce.job.reduce.class", "mapreduce.reduce.class"],
    },
];

/// Reports classes of an API that is not selected. What a `job-xml` file or a `config-class` adds is not known here.
pub(super) fn check(app: &WorkflowApp, action: &Action, job: &MapReduce, sink: &mut Sink) {
    if !matches!(job.program, MapReduceProgram::Classes) || job.config_class.is_some() {
        return;
    }
    for role in ROLES {
        let choice = setting(app, action, role.choice);
        let is_new = choice.map(|property| literal(&property.value).map(str::trim));
        match is_new {
            Some(Some("true")) => {
                if let Some(class) = setting(app, action, role.old)
                    && class.value.literal() != Some("")
                {
                    sink.emit(MixedMapReduceApis {
                        class: role.old,
                        choice: role.choice,
                        place: class.name.span,
                        other: choice.map(|property| property.name.span),
                    });
                }
            }
            None if job.settings.job_xml.is_empty() => {
                for name in role.new {
                    if let Some(class) = setting(app, action, name) {
                        sink.emit(UnusedMapReduceClass {
                            class: name,
                            choice: role.choice,
                            place: class.name.span,
                        });
                    }
                }
            }
            // Selected as false, by an expression, or possibly in a file.
            Some(_) | None => {}
        }
    }
}

/// Properties that tell where the input is, the first two of the old and of the new API.
const INPUTS: [&str; 4] = [
    "mapred.input.dir",
    "mapreduce.input.fileinputformat.inputdir",
    "mapred.input.dir.formats",
    "mapreduce.input.multipleinputs.dir.formats",
];

const OUTPUTS: [&str; 3] = [
    "mapred.output.dir",
    "mapreduce.output.fileoutputformat.outputdir",
    "mapreduce.output.lazyoutputformat.outputformat",
];

/// Formats of one's own may need no directory.
const INPUT_FORMATS: [&str; 4] = [
    "mapred.input.format.class",
    "mapreduce.job.inputformat.class",
    "mapreduce.inputformat.class",
    "mapreduce.job.input.format.class",
];

const OUTPUT_FORMATS: [&str; 4] = [
    "mapred.output.format.class",
    "mapreduce.job.outputformat.class",
    "mapreduce.outputformat.class",
    "mapreduce.job.output.format.class",
];

/// Reports a job that has no input or no output directory from any source that is known here.
pub(super) fn directories(
    app: &WorkflowApp,
    node: &Node,
    action: &Action,
    job: &MapReduce,
    sink: &mut Sink,
) {
    let is_another_program = setting(app, action, "oozie.launcher.action.main.class").is_some();
    if job.config_class.is_some() || !job.settings.job_xml.is_empty() || is_another_program {
        return;
    }
    let has = |names: &[&str]| {
        names
            .iter()
            .any(|name| setting(app, action, name).is_some())
    };
    let pipes_format = match &job.program {
        MapReduceProgram::Pipes(pipes) => pipes.input_format.is_some(),
        MapReduceProgram::Classes | MapReduceProgram::Streaming(_) => false,
    };
    let has_input = pipes_format || has(&INPUTS) || has(&INPUT_FORMATS);
    let has_output = has(&OUTPUTS) || has(&OUTPUT_FORMATS);
    if !has_input || !has_output {
        let uses_new_names = has(&INPUTS[1..2]) || has(&OUTPUTS[1..2]);
        sink.emit(MapReduceWithoutDirectories {
            place: action.body_span,
            action: node.name.value.clone(),
            has_input,
            has_output,
            properties: if uses_new_names {
                [INPUTS[1], OUTPUTS[1]]
            } else {
                [INPUTS[0], OUTPUTS[0]]
            },
        });
    }
}
