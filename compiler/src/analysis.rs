//! Semantic analysis of the model: the passes in their order, and [`Facts`], their results.
//!
//! Each pass relies on what the earlier ones have established and does not check it again. No pass stops another: what one
//! has reported, the later ones do not report again.
//!
//! 1. [`transitions`]: resolves names to edges.
//! 2. [`cycles`]: the graph is acyclic; which nodes are reached, and in what order.
//! 3. [`reachability`]: nodes that never run.
//! 4. [`fork_join`]: each fork has its join.
//! 5. [`text_passes`] with [`el_scope`], [`el_types`], [`el_pitfalls`], [`el_engines`], and [`el_markup`]: functions exist where they are
//!    called, no expression is certain to fail, and none means something else than it appears to.
//! 6. [`parameters`]: every property has a source; [`secret_flows`]: no secret property is shown anywhere.
//! 7. [`node_references`]: what an expression reads of another node is available by then.
//! 8. [`decisions`], [`retries`], [`empty_values`], [`schemes`], [`forms`], [`actions`], [`scripts`], [`credentials`],
//!    [`service_levels`]: single nodes that cannot do what they specify; [`file_conflicts`]: several that cannot do it together.
//! 9. [`unsupported`]: what no executable supports yet.
//!
//! The passes over expressions (5 and 6) and those over the graph and single nodes (1 to 4 and 8) are independent: large
//! workflows run each group on its own thread.

mod action_types;
mod actions;
mod always_runs;
mod bundle;
mod coordinator;
mod credentials;
mod cycles;
mod decisions;
mod el_calls;
mod el_engines;
mod el_markup;
mod el_pitfalls;
mod el_scope;
mod el_types;
mod empty_parts;
mod empty_values;
mod entered;
mod event_functions;
mod file_conflicts;
mod file_system_roots;
mod file_systems;
mod fork_join;
mod forms;
mod given;
mod graph;
mod kill_messages;
mod known;
mod known_values;
mod needed;
mod needs;
mod node_references;
mod parameters;
mod reachability;
mod retries;
mod schemes;
mod scripts;
mod secret_flows;
mod secrets;
mod service_levels;
mod similar_names;
mod templates;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod text_passes;
mod transitions;
mod unreached;
mod unsupported;
mod ways;

pub(crate) use self::credentials::wanted as wanted_credentials;
pub use self::{
    actions::{
        CODES as ACTION_CODES, LAST_CODES as LAST_ACTION_CODES, LATER_CODES as LATER_ACTION_CODES,
    },
    always_runs::{always_runs, runs_again},
    bundle::{BundleFacts, CODES as BUNDLE_CODES, bundle},
    coordinator::{
        CODES as COORDINATOR_CODES, CoordinatorFacts, Included, NamedInclude, PASSED_CODES,
        PassedProperties, SUBMISSION_CODES, Started, check_bundled_version, check_passed,
        coordinator, definition as coordinator_definition,
    },
    credentials::CODES as CREDENTIAL_CODES,
    cycles::CODES as CYCLE_CODES,
    decisions::{CaseWay, When},
    el_scope::CODES as FUNCTION_CODES,
    el_types::CODES as EXPRESSION_CODES,
    file_systems::{FeatureSet, feature_set, feature_set_of_coordinator},
    fork_join::{CODES as FORK_JOIN_CODES, Pairing},
    forms::CODES as FORM_CODES,
    given::{GivenProperties, GivenProperty, JobProperties},
    graph::{Edge, Graph},
    known::Values,
    needed::{Need, Needs},
    needs::{needs, needs_of_coordinator},
    parameters::{
        CODES as PROPERTY_CODES, PropertyType, PropertyUse, needs_of_job, sub_workflows_not_run,
    },
    schemes::CODES as UNSUPPORTED_SCHEME_CODES,
    secrets::secrets,
    service_levels::CODES as SERVICE_LEVEL_CODES,
    transitions::CODES as TRANSITION_CODES,
    unreached::without_unreached_mistakes,
    unsupported::{TYPE_CODES as UNSUPPORTED_TYPE_CODES, is_built},
    ways::{DecisionWays, EndWay, Ways, ways},
};
use self::{
    cycles::Reach, el_engines::ElEngines, el_pitfalls::ElPitfalls, el_scope::ElScope,
    el_types::ElTypes, known_values::KnownValues, templates::TemplateUse, transitions::NodeIndex,
};
use crate::{
    diagnostics::Sink,
    model::{NodeId, OwnFunction, WorkflowApp},
    parallel,
};

/// What is known of a workflow besides its model.
///
/// After errors the facts are incomplete but never wrong: an edge or a join that is missing has been reported.
#[derive(Clone, Debug)]
pub struct Facts {
    pub graph: Graph,
    /// The join of each fork.
    pub pairing: Pairing,
    /// By node: whether it is reachable from `start`.
    pub is_reached: Vec<bool>,
    /// Every property that the workflow declares or reads, by name.
    pub properties: Vec<PropertyUse>,
    /// The functions of the program that its expressions call.
    pub functions: Vec<OwnFunction>,
}

impl Facts {
    pub fn is_reached(&self, node: NodeId) -> bool {
        self.is_reached[node.index()]
    }

    /// The property of this name, if the workflow declares or reads it.
    pub fn property(&self, name: &str) -> Option<&PropertyUse> {
        self.properties
            .binary_search_by(|property| property.name.as_str().cmp(name))
            .ok()
            .map(|at| &self.properties[at])
    }
}

/// Workflows with fewer nodes are analysed faster than a thread starts.
const ENOUGH_FOR_TWO_THREADS: usize = 200;

/// Analyses a workflow, with the properties that its job will be given as far as they are known.
pub fn workflow(app: &WorkflowApp, given: &JobProperties, sink: &mut Sink) -> Facts {
    let index = transitions::index(app, sink);
    let is_large = app.nodes.len() >= ENOUGH_FOR_TWO_THREADS;
    let known = KnownValues::new(app, given);
    let (mut of_graph, mut of_actions, mut of_texts) =
        (sink.beside(), sink.beside(), sink.beside());
    let ((graph, reach, pairing), (uses, functions)) = both(
        is_large,
        || graph_facts(app, &index, given, &known, &mut of_graph),
        || {
            single_nodes(app, given, &known, &mut of_actions);
            expressions(app, &index, &mut of_texts)
        },
    );
    sink.append(of_graph);
    sink.append(of_actions);
    sink.append(of_texts);
    let (mut of_nodes, mut of_properties) = (sink.beside(), sink.beside());
    let ((), properties) = both(
        is_large,
        || node_references::check(app, &graph, &index, &reach, &pairing, &uses, &mut of_nodes),
        || parameters::resolve(app, &uses, (&graph, &reach), given, &mut of_properties),
    );
    sink.append(of_properties);
    sink.append(of_nodes);
    kill_messages::note(app, sink);
    Facts {
        graph,
        pairing,
        is_reached: reach.is_reached,
        properties,
        functions,
    }
}

/// Runs both in parallel, or sequentially where a thread would cost more than it saves.
fn both<A: Send, B>(
    is_large: bool,
    beside: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    if is_large {
        parallel::both(beside, here)
    } else {
        (beside(), here())
    }
}

/// The passes over the graph.
fn graph_facts(
    app: &WorkflowApp,
    index: &NodeIndex<'_>,
    given: &JobProperties,
    known: &KnownValues,
    sink: &mut Sink,
) -> (Graph, Reach, Pairing) {
    let graph = transitions::resolve(app, index, sink);
    let reach = cycles::find(app, &graph, sink);
    reachability::check(app, &graph, index, &reach, sink);
    let pairing = fork_join::pair(app, &graph, &reach, given, sink);
    file_conflicts::check(app, &graph, &pairing, known, sink);
    (graph, reach, pairing)
}

/// The passes over single nodes.
fn single_nodes(app: &WorkflowApp, given: &JobProperties, known: &KnownValues, sink: &mut Sink) {
    decisions::check(app, known, sink);
    retries::check(app, given, sink);
    empty_values::check(app, sink);
    schemes::check(app, sink);
    file_system_roots::check(app, known, sink);
    empty_parts::check(app, known, sink);
    forms::check(app, given, known, sink);
    actions::check(app, known, sink);
    scripts::check(app, sink);
    credentials::check(app, sink);
    service_levels::check(app, sink);
    secret_flows::check(app, given, sink);
}

/// Every text with expressions and the functions of the program that they call, and the passes over them that do not need the graph.
fn expressions<'a>(
    app: &'a WorkflowApp,
    index: &NodeIndex<'_>,
    sink: &mut Sink,
) -> (Vec<TemplateUse<'a>>, Vec<OwnFunction>) {
    let uses = templates::collect(app);
    let mut scope = ElScope::new(app, index);
    text_passes::run(
        &uses,
        &mut [
            &mut scope,
            &mut ElTypes {
                conf: &|it| (it.phase == templates::TemplatePhase::Workflow).then_some("wf:conf"),
                functions: &app.functions,
                zone: None,
            },
            &mut ElPitfalls,
            &mut ElEngines,
        ],
        sink,
    );
    let functions = scope.called_functions();
    el_markup::check(app, &uses, sink);
    (uses, functions)
}
