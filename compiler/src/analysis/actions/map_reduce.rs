//! The two APIs of Hadoop's `map-reduce`: classes of the API that is not selected.
//!
//! Oozie submits by `JobClient`, which takes the old API unless a property selects the new one; `Job.setUseNewAPI` rejects
//! classes of the old API where the new one is selected.

use super::{literal, mixed_map_reduce_apis::MixedMapReduceApis, setting};
use crate::{
    diagnostics::Sink,
    lints::unused_map_reduce_classes::UnusedMapReduceClass,
    model::{
        Action, WorkflowApp,
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
