//! Random workflows as tables that the compiler could have written, and random outcomes of their actions.
//!
//! Tables are never freed, so their number is limited; the seed of a run chooses one of them and everything else.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    fmt,
};

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome, Shape},
    el::functions::wf,
};
use hpdlc_program::table::{
    Action, App, Body, Child, Entry, File, Fs, FsOperation, Next, NodeDef, NodeKind, Part, Program,
    Retry, Row, Shell, Sla, SlaTexts, SubWorkflow, Template,
};

use super::{graph::SimulatedGraph, notifications::Channel, random::Random};

/// Seconds between two tries of a notification.
pub const RETRY_INTERVAL: &str = "hpdl.notification.retry.interval";

/// Which events of service levels are notified.
pub const ALERT_EVENTS: &str = "oozie.sla.service.SLAService.alert.events";

/// The files that are unpacked for its jobs.
static FILES: [File; 2] = [
    File {
        path: "run.sh",
        bytes: b"#!/bin/sh\n",
        is_executable: true,
    },
    File {
        path: "data/part.txt",
        bytes: b"part",
        is_executable: false,
    },
];

/// How many different workflows there are.
const WORKFLOWS: u64 = 4096;

/// One application for itself and one for each child.
const MAX_APPS: usize = 3;

#[derive(Debug)]
struct WorkflowTable {
    graph: SimulatedGraph,
    defs: Vec<NodeDef>,
}

thread_local! {
    static WORKFLOWS_MADE: RefCell<HashMap<u64, Workflow>> = RefCell::new(HashMap::new());
}

/// A program with its children.
#[derive(Clone, Copy, Debug)]
pub struct Workflow {
    pub program: &'static Program,
    tables: &'static [&'static WorkflowTable],
}

impl Workflow {
    /// The workflow that belongs to `seed`.
    pub fn choose(seed: u64) -> Workflow {
        let number = seed % WORKFLOWS;
        WORKFLOWS_MADE
            .with_borrow_mut(|made| *made.entry(number).or_insert_with(|| Workflow::make(number)))
    }

    fn make(seed: u64) -> Workflow {
        let random = &mut Random::new(seed);
        let n_apps = random.pick(&[1, 1, 2, MAX_APPS]);
        let tables: Vec<&'static WorkflowTable> = (0..n_apps)
            .map(|app| {
                let graph = SimulatedGraph::of(seed, random);
                let defs = graph
                    .nodes()
                    .map(|(node, shape)| define(random, app, n_apps, &graph, node, shape))
                    .collect();
                leak(WorkflowTable { graph, defs })
            })
            .collect();
        let apps: Vec<&'static App> = tables
            .iter()
            .map(|table| leak(make_app(random, table)))
            .collect();
        let children = (1..n_apps)
            .map(|app| Child {
                uri: text(&uri(app)),
                app,
            })
            .collect::<Vec<_>>();
        Workflow {
            program: leak(Program {
                entry: Entry::Workflow,
                coordinators: &[],
                hpdlc_version: "0.0.0",
                hash: "0123456789abcdef",
                apps: apps.leak(),
                children: children.leak(),
                files: &FILES,
            }),
            tables: tables.leak(),
        }
    }

    pub fn graph(&self, app: usize) -> &'static SimulatedGraph {
        &self.tables[app].graph
    }

    /// The nodes of all applications, each with the index of its application.
    fn nodes(&self) -> impl Iterator<Item = (usize, &'static NodeDef, Shape)> {
        self.tables.iter().enumerate().flat_map(|(app, table)| {
            let shapes = table.graph.nodes().map(|(_, shape)| shape);
            let nodes = table.defs.iter().zip(shapes);
            nodes.map(move |(def, shape)| (app, def, shape))
        })
    }
}

impl fmt::Display for Workflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (app, table) in self.tables.iter().enumerate() {
            writeln!(f, "application {app}")?;
            write!(f, "{}", table.graph)?;
            for def in &table.defs {
                if let NodeKind::Action(action) = &def.kind {
                    writeln!(
                        f,
                        "{:>5} is a {} action",
                        def.name,
                        action.body.def().type_name()
                    )?;
                }
            }
        }
        Ok(())
    }
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn uri(app: usize) -> String {
    format!("file:/apps/{app}")
}

/// Half of the applications have service levels, and so do some of their actions.
fn service_levels(random: &mut Random, graph: &SimulatedGraph) -> Vec<Sla> {
    let percent = random.pick(&[0, 0, 20, 60]);
    let actions = graph
        .nodes()
        .filter(|(_, shape)| *shape == Shape::Action)
        .map(|(node, _)| Some(node));
    let parts: Vec<Option<NodeId>> = [None].into_iter().chain(actions).collect();
    let chosen: Vec<Option<NodeId>> = parts
        .into_iter()
        .filter(|_| random.percent(percent))
        .collect();
    chosen
        .into_iter()
        .map(|node| {
            let property = |name| Some(Template::Property(0, 1, name));
            let mut maybe = |text: Option<Template>| text.filter(|_| random.percent(60));
            Sla {
                node,
                texts: SlaTexts {
                    nominal_time: property("sla_nominal"),
                    should_end: property("sla_end"),
                    should_start: maybe(property("sla_start")),
                    max_duration: maybe(property("sla_longest")),
                    alert_contact: maybe(Some(Template::Text(0, "ann@example.org"))),
                    ..SlaTexts::EMPTY
                },
            }
        })
        .collect()
}

fn make_app(random: &mut Random, table: &'static WorkflowTable) -> App {
    let WorkflowTable { graph, defs } = table;
    let joins: Vec<(NodeId, NodeId)> = graph
        .nodes()
        .filter_map(|(node, shape)| match shape {
            Shape::Fork {
                join: Some(join), ..
            } => Some((node, join)),
            _ => None,
        })
        .collect();
    App {
        name: Template::Text(0, "simulated"),
        source: "workflow.xml",
        folder: "",
        parameters: &[],
        config_default: &[],
        global: &[],
        lines: vec![1; graph.len()].leak(),
        start: graph.start(),
        joins: joins.leak(),
        slas: service_levels(random, graph).leak(),
        functions: &[],
        rows: graph
            .nodes()
            .map(|(node, shape)| Row(node, 0, ways_out(graph, node, shape)))
            .collect::<Vec<_>>()
            .leak(),
        definitions: defs.iter().collect::<Vec<_>>().leak(),
    }
}

fn ways_out(graph: &SimulatedGraph, node: NodeId, shape: Shape) -> Next {
    let only = |outcome| graph.next(node, outcome).expect("the graph is whole");
    let all = |outcome: fn(u32) -> Outcome| -> &'static [NodeId] {
        let ways = (0..).map_while(|number| graph.next(node, outcome(number)));
        ways.collect::<Vec<_>>().leak()
    };
    match shape {
        Shape::Start => Next::Ok(only(Outcome::Ok)),
        Shape::Action => Next::OkOrError(only(Outcome::Ok), only(Outcome::Error)),
        Shape::Decision => Next::Case(all(Outcome::Case)),
        Shape::Fork { .. } => Next::Branch(all(Outcome::Branch)),
        Shape::Join => Next::Joined(only(Outcome::Joined)),
        Shape::End | Shape::Kill | Shape::Fail => Next::None,
    }
}

static MESSAGE: Template = Template::Parts(
    0,
    1,
    "failed at ${wf:lastErrorNode()}",
    &[
        Part::Text("failed at "),
        Part::Call(&wf::LAST_ERROR_NODE, &[]),
    ],
);

fn define(
    random: &mut Random,
    app: usize,
    n_apps: usize,
    graph: &SimulatedGraph,
    node: NodeId,
    shape: Shape,
) -> NodeDef {
    let name = format!("n{}", node.0);
    let message = MESSAGE;
    let kind = match shape {
        Shape::Start => NodeKind::Start,
        Shape::End => NodeKind::End,
        Shape::Kill => NodeKind::Kill { message },
        Shape::Fail => NodeKind::Fail { message },
        Shape::Join => NodeKind::Join,
        Shape::Fork { branches, .. } => NodeKind::Fork { branches },
        Shape::Decision => {
            // The last way is the default.
            let cases: Vec<Template> = (1..graph.cases(node))
                .map(|n| Template::Property(0, 1, text(&case_property(app, &name, n - 1))))
                .collect();
            NodeKind::Decision {
                cases: cases.leak(),
            }
        }
        Shape::Action => NodeKind::Action(Action {
            retry: Retry {
                max: Some(Template::Property(0, 1, text(&retry_property(app, &name)))),
                ..Retry::EMPTY
            },
            body: body(random, app, n_apps, &name),
        }),
    };
    let name = if shape == Shape::Start {
        ":start:"
    } else {
        text(&name)
    };
    NodeDef { name, kind }
}

fn body(random: &mut Random, app: usize, n_apps: usize, name: &str) -> Body {
    match random.below(10) {
        0..=1 if app + 1 < n_apps => {
            let child = random.between(app + 1, n_apps - 1);
            Body::SubWorkflow(SubWorkflow {
                app_path: Template::Text(0, text(&uri(child))),
                propagate_configuration: true,
                ..SubWorkflow::EMPTY
            })
        }
        2 => {
            let path = Template::Around(0, 1, "file:", "files", text(&format!("/{app}/{name}")));
            let operations = vec![FsOperation::Mkdir { path }];
            Body::Fs(Fs {
                operations: operations.leak(),
                ..Fs::EMPTY
            })
        }
        _ => {
            let argument = Template::Property(0, 1, text(&argument_property(app, name)));
            Body::Shell(Shell {
                exec: Template::Text(0, "true"),
                arguments: vec![argument].leak(),
                ..Shell::EMPTY
            })
        }
    }
}

fn case_property(app: usize, node: &str, case: usize) -> String {
    format!("case_{app}_{node}_{case}")
}

fn retry_property(app: usize, node: &str) -> String {
    format!("retry_{app}_{node}")
}

fn argument_property(app: usize, node: &str) -> String {
    format!("argument_{app}_{node}")
}

/// The course of a job: its properties, and how its processes end.
#[derive(Debug, Default)]
pub struct WorkflowPlan {
    pub conf: BTreeMap<String, String>,
    /// How many processes of a node fail in a run before one succeeds, by application and node.
    failures: BTreeMap<(usize, String), usize>,
}

impl WorkflowPlan {
    /// `files` is a folder that actions may write to.
    pub fn random(random: &mut Random, workflow: &Workflow, files: &str) -> WorkflowPlan {
        let mut plan = WorkflowPlan::default();
        let mut set = |name: &str, value: &str| {
            plan.conf.insert(name.to_owned(), value.to_owned());
        };
        set("files", files);
        set(
            "hpdl.action.lost",
            random.pick(&["suspend", "retry", "error"]),
        );
        set("oozie.action.retries.max", random.pick(&["0", "1", "3"]));
        set(
            "hpdl.local.processes.max",
            random.pick(&["1", "2", "4", "64"]),
        );
        set("hpdl.kill.grace", random.pick(&["0", "10"]));
        if random.percent(60) {
            set(
                "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext",
                "ALL",
            );
        }
        // The minute in which every simulation starts.
        set("sla_nominal", "2023-11-14T22:13Z");
        set("sla_start", random.pick(&["0", "1", "30"]));
        set("sla_end", random.pick(&["1", "30", "600"]));
        set("sla_longest", random.pick(&["1", "20"]));
        set("oozie.sla.disable.alerts.older.than", "0");
        set("oozie.email.smtp.host", "localhost");
        set("hpdl.notification.retries", random.pick(&["0", "2"]));
        set(RETRY_INTERVAL, random.pick(&["1", "60"]));
        if random.percent(50) {
            let all = "start_met,start_miss,duration_met,duration_miss,end_met,end_miss";
            set(ALERT_EVENTS, all);
        }
        let is_told = random.pick(&[0, 0, 50, 100]);
        for (property, url) in Channel::ALL.into_iter().filter_map(Channel::property) {
            if random.percent(is_told) {
                set(property, url);
            }
        }
        let stops = random.pick(&[0, 0, 0, 10, 40]);
        if stops == 40 && random.percent(20) {
            set("oozie.suspend.on.nodes", "*");
        } else {
            let names: Vec<&str> = workflow
                .nodes()
                .filter(|_| random.percent(stops))
                .map(|(_, def, _)| def.name)
                .collect();
            set("oozie.suspend.on.nodes", &names.join(","));
        }
        let trouble = random.pick(&[0, 10, 30, 60]);
        let unset = random.pick(&[0, 0, 0, 3]);
        for (app, def, shape) in workflow.nodes() {
            match shape {
                Shape::Decision => {
                    let n = workflow.graph(app).cases(node_of(workflow, app, def.name));
                    let chosen = random.below(n);
                    for case in 0..n - 1 {
                        let holds = if case == chosen { "true" } else { "false" };
                        plan.conf
                            .insert(case_property(app, def.name, case), holds.to_owned());
                    }
                }
                Shape::Action => {
                    let retries = random.pick(&["0", "1", "3"]);
                    plan.conf
                        .insert(retry_property(app, def.name), retries.to_owned());
                    if !random.percent(unset) {
                        plan.conf
                            .insert(argument_property(app, def.name), "x".to_owned());
                    }
                    if random.percent(trouble) {
                        let n = random.between(1, 4);
                        plan.failures.insert((app, def.name.to_owned()), n);
                    }
                }
                Shape::Start
                | Shape::End
                | Shape::Kill
                | Shape::Fail
                | Shape::Fork { .. }
                | Shape::Join => {}
            }
        }
        plan
    }

    /// The exit code of a process after `n_before` others of the same node and run.
    pub fn exit_code(&self, app: usize, node: &str, n_before: usize) -> i32 {
        let failures = self.failures.get(&(app, node.to_owned()));
        i32::from(failures.is_some_and(|&n| n_before < n))
    }
}

fn node_of(workflow: &Workflow, app: usize, name: &str) -> NodeId {
    let position = workflow.tables[app]
        .defs
        .iter()
        .position(|def| def.name == name);
    let position = position.expect("the name came from this table");
    NodeId(u32::try_from(position).expect("graphs are small"))
}
