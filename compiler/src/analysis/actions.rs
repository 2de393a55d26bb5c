//! Contents of actions: texts that make an action fail whatever properties the job is given.
//!
//! The schemas allow any text nearly everywhere. What Oozie's executors, or the tools that they start, then reject is known
//! if it is in the document; a text with expressions is checked only up to the first of them.

use hpdlc_core::el::functions::Dialect;

use crate::{
    analysis::{
        action_types::{self, ActionType as _},
        known_values::KnownValues,
    },
    diagnostics::{Code, Sink},
    lints::{
        actions_without_cluster::ActionWithoutCluster,
        empty_actions::{EmptyAction, EmptyActionProblem},
        halved_clusters::HalvedCluster,
        rust_actions::RustAction,
    },
    lower::schema::Vocabulary,
    model::{
        Action, ActionKind, Node, Property, Template, WorkflowApp, WorkflowVersion,
        action::HiveSource,
    },
};

mod arguments;
mod class_names;
mod email;
mod empty_action_text;
mod extension_call;
mod forbidden_property;
mod git;
mod git_uri_without_scheme;
mod invalid_email_address;
mod invalid_extension_call;
mod invalid_spark_deployment;
mod java_options;
mod malformed_assignment;
mod map_reduce;
mod mixed_map_reduce_apis;
mod proposal;
mod refused_argument;
mod shipped;
mod spark;
mod spark_options;
mod spark_refusals;
mod sqoop;
#[cfg(test)]
mod tests;
mod too_few_distcp_arguments;
mod unnamed_cluster;
mod words;

use self::{
    empty_action_text::EmptyActionText, forbidden_property::ForbiddenProperty,
    too_few_distcp_arguments::TooFewDistcpArguments,
};

pub static CODES: &[&Code] = &[
    &empty_action_text::CODE,
    &refused_argument::CODE,
    &malformed_assignment::CODE,
    &invalid_spark_deployment::CODE,
    &too_few_distcp_arguments::CODE,
    &invalid_email_address::CODE,
    &git_uri_without_scheme::CODE,
    &forbidden_property::CODE,
];

/// `H0610`, for a registry in the order of numbers.
pub static LATER_CODES: &[&Code] = &[&mixed_map_reduce_apis::CODE];

/// `H0613` and those after it, likewise.
pub static LAST_CODES: &[&Code] = &[&unnamed_cluster::CODE, &invalid_extension_call::CODE];

/// Checks the contents of every action.
pub(crate) fn check(app: &WorkflowApp, known: &KnownValues, sink: &mut Sink) {
    for (node, action) in app.actions() {
        cluster(app, node, action, sink);
        proposal::check_cluster(app, node, action, sink);
        if let Some(own) = action_types::of(&action.kind) {
            for (element, text) in own.needed_texts() {
                if literal(text) == Some("") {
                    sink.emit(EmptyActionText {
                        kind: action.kind.name().to_owned(),
                        element,
                        place: text.span,
                    });
                }
            }
            if let Some((arguments, refused)) = own.tool_arguments() {
                arguments::refused(arguments, refused, sink);
            }
            arguments::assignments(own.assignments(), "param", known, sink);
            // Pig takes blanks from a name.
            let keeps_blanks = !matches!(action.kind, ActionKind::Pig(_));
            arguments::names(own.assignments(), "param", keeps_blanks, sink);
            arguments::names(own.env_vars(), "env-var", true, sink);
            arguments::env_vars(own.env_vars(), known, sink);
            words::env_vars(own.env_vars(), sink);
            if let Some(list) = own.arguments() {
                words::arguments(list, matches!(action.kind, ActionKind::Shell(_)), sink);
            }
        }
        contents(app, node, action, known, sink);
        shipped::check(app, action, known, sink);
    }
    forbidden_properties(app, sink);
}

/// Rules that apply to one type only: one line per type.
fn contents(app: &WorkflowApp, node: &Node, action: &Action, known: &KnownValues, sink: &mut Sink) {
    match &action.kind {
        ActionKind::Distcp(distcp) => {
            let is_another_program = setting(app, action, "oozie.launcher.action.main.class");
            java_options::check(distcp.java_opts.as_slice(), known, sink);
            if distcp.args.len() < 2 && is_another_program.is_none() {
                sink.emit(TooFewDistcpArguments {
                    n_arguments: distcp.args.len(),
                    place: action.body_span,
                });
            }
        }
        ActionKind::Email(email) => {
            email::check(email, known, sink);
            if let Some(body) = email.body.as_ref().filter(|body| literal(body) == Some("")) {
                sink.emit(EmptyAction {
                    place: body.span,
                    action: node.name.value.clone(),
                    problem: EmptyActionProblem::NoText,
                });
            }
        }
        ActionKind::Fs(fs) if fs.operations.is_empty() => sink.emit(EmptyAction {
            place: action.body_span,
            action: node.name.value.clone(),
            problem: EmptyActionProblem::NoOperation,
        }),
        ActionKind::Git(git) => git::check(git, sink),
        ActionKind::Hive(hive) => query(&hive.source, node, sink),
        ActionKind::Hive2(hive) => query(&hive.source, node, sink),
        ActionKind::Java(java) => {
            class_names::check(&java.main_class, known, sink);
            java_options::check(java.options(), known, sink);
        }
        ActionKind::MapReduce(job) => {
            map_reduce::check(app, action, job, sink);
            map_reduce::directories(app, node, action, job, sink);
        }
        ActionKind::Custom(custom) => {
            let extension = custom.function.split("::").next();
            sink.emit(RustAction {
                action: node.name.value.clone(),
                place: action.body_span,
                extension: extension.map(str::to_owned),
            });
        }
        ActionKind::Rust(rust) => {
            sink.emit(RustAction {
                action: node.name.value.clone(),
                place: action.body_span,
                extension: None,
            });
            extension_call::check(app, rust, sink);
        }
        ActionKind::Shell(shell) => {
            words::program(shell, known, sink);
            words::operators(shell, sink);
        }
        ActionKind::Spark(spark) => {
            spark::check(spark, sink);
            if let Some(class) = &spark.class {
                class_names::check(class, known, sink);
            }
            spark_options::check(spark.spark_opts.as_ref(), known, sink);
        }
        ActionKind::Sqoop(sqoop) => {
            let splitter = setting(app, action, "oozie.action.sqoop.shellsplitter");
            sqoop::check(&sqoop.command, splitter.is_some(), known, sink);
        }
        // The other types have no rules here.
        _ => {}
    }
}

/// Reports properties that no action with a launcher may set, at each place that sets them for one
/// (`JavaActionExecutor.checkForDisallowedProps`).
fn forbidden_properties(app: &WorkflowApp, sink: &mut Sink) {
    // The proposal of 2009 requires some of them.
    if app.dialect == Dialect::Proposal {
        return;
    }
    const NAMES: [&str; 4] = [
        "fs.default.name",
        "mapreduce.job.user.name",
        "user.name",
        "yarn.resourcemanager.address",
    ];
    /// Rejected in `config-default.xml` for every action type; already reported.
    const OF_USER: [&str; 2] = ["mapreduce.job.user.name", "user.name"];
    let mut report = |properties: &[Property], passed: &[&str]| {
        for property in properties {
            if let Some(name) = property.name.literal().map(str::trim)
                && NAMES.contains(&name)
                && !passed.contains(&name)
                && property.value.literal() != Some("")
            {
                sink.emit(ForbiddenProperty {
                    name: name.to_owned(),
                    place: property.name.span,
                });
            }
        }
    };
    let mut has_launcher = false;
    for (_, action) in app.actions() {
        if let (Some(settings), true) = (action.kind.settings(), action.kind.has_launcher()) {
            has_launcher = true;
            report(&settings.configuration.properties, &[]);
        }
    }
    if has_launcher {
        if let Some(global) = &app.global {
            report(&global.configuration.properties, &[]);
        }
        report(&app.config_default, &OF_USER);
    }
}

/// Reports a query without a statement: it runs and does nothing.
fn query(source: &HiveSource, node: &Node, sink: &mut Sink) {
    if let HiveSource::Query(query) = source
        && literal(query).is_some_and(|text| text.trim().is_empty())
    {
        sink.emit(EmptyAction {
            place: query.span,
            action: node.name.value.clone(),
            problem: EmptyActionProblem::EmptyQuery,
        });
    }
}

/// The effective property of that name in the action's configuration, unless it comes from a file.
pub(super) fn setting<'a>(
    app: &'a WorkflowApp,
    action: &'a Action,
    name: &str,
) -> Option<&'a Property> {
    let own = action
        .kind
        .settings()
        .map_or(&[][..], |settings| &settings.configuration.properties);
    let global = app
        .global
        .as_ref()
        .map_or(&[][..], |global| &global.configuration.properties);
    [&app.config_default[..], global, own]
        .into_iter()
        .flatten()
        .rfind(|property| property.name.literal() == Some(name))
}

/// Reports an action that has no cluster from any source (`LiteWorkflowAppParser`).
fn cluster(app: &WorkflowApp, node: &Node, action: &Action, sink: &mut Sink) {
    // Up to version 0.3, the bodies of the workflow's own schema must have both.
    let is_required =
        app.version < WorkflowVersion::V0_4 && Vocabulary::of_body(action.kind.name()).is_none();
    if is_required || !action.kind.has_launcher() {
        return;
    }
    let Some(settings) = action.kind.settings() else {
        return;
    };
    let (has_name_node, has_cluster) = (
        settings.name_node.is_some(),
        settings.resource_manager.is_some(),
    );
    let half = settings
        .name_node
        .as_ref()
        .or(settings.resource_manager.as_ref());
    if has_name_node && has_cluster {
        return;
    }
    // Commands and programs that only need a file system run on the host itself.
    let is_local = matches!(
        action.kind,
        ActionKind::Shell(_) | ActionKind::Java(_) | ActionKind::Git(_)
    );
    let half = half.filter(|half| !(half.is_invalid || is_local && has_name_node));
    if let Some(half) = half {
        sink.emit(HalvedCluster {
            action: node.name.value.clone(),
            place: action.body_span,
            half: half.span,
            has_name_node,
            manager: match app.version < WorkflowVersion::V1_0 {
                true => "job-tracker",
                false => "resource-manager",
            },
        });
    } else {
        sink.emit(ActionWithoutCluster {
            action: node.name.value.clone(),
            has_name_node,
            has_cluster,
            place: action.body_span,
        });
    }
}

/// The text, if it has no expressions.
fn literal(template: &Template) -> Option<&str> {
    if template.is_invalid {
        return None;
    }
    template.literal()
}
