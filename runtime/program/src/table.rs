//! The static table that a generated program hands to the runtime: graph, templates, files.
//!
//! Everything here is plain data and plain `fn` pointers, so that the runtime is compiled once and a generated
//! crate costs rustc little. The compiler's `codegen` writes these values; nothing else should.

mod action;
pub mod applications;
mod coordinator;
mod properties;
mod rows;
mod text;

use std::borrow::Cow;

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome, Shape},
    el::{
        error::ElError,
        functions,
        scope::{Origin, Scope},
        value::Value,
    },
};

pub use self::{
    action::*,
    coordinator::{
        Bundle, BundleCoordinator, Coordinator, Dataset, Event, Include, Instances, Logic,
        LogicKind,
    },
    properties::Property,
    rows::{Next, Row, definitions},
    text::{Outside, Part, Place, Placed, Template, TestFn, TextFn, Uses},
};

/// A compiled program: one application and the children compiled in with it.
#[derive(Debug)]
pub struct Program {
    /// The version of hpdlc that compiled it.
    pub hpdlc_version: &'static str,
    /// The definition hash: names everything that the compiler read and the version that read it. 16 hex digits.
    pub hash: &'static str,
    /// What a job of the program is made of.
    pub entry: Entry,
    /// The workflows. The application itself is the first, where it is one; each child is here once.
    pub apps: &'static [&'static App],
    /// The coordinators, likewise.
    pub coordinators: &'static [&'static Coordinator],
    /// The `--map` and `[map]` entries that children were resolved with: URI prefix, folder relative to the unpacked files.
    pub children: &'static [Child],
    /// The files of the applications, below the folder where they are unpacked.
    pub files: &'static [File],
}

/// What a program starts.
#[derive(Debug)]
pub enum Entry {
    /// The first of [`Program::apps`].
    Workflow,
    /// The only one of [`Program::coordinators`].
    Coordinator,
    Bundle(&'static Bundle),
}

impl Program {
    /// What the document calls itself, which may have expressions.
    pub fn name(&self) -> Cow<'static, str> {
        match self.entry {
            Entry::Workflow => self
                .apps
                .first()
                .map(|app| app.name.source())
                .unwrap_or_default(),
            Entry::Coordinator => {
                let own = self.coordinators.first();
                own.map(|coordinator| coordinator.name.source())
                    .unwrap_or_default()
            }
            Entry::Bundle(bundle) => bundle.name.source(),
        }
    }

    /// What the program is of, for people.
    pub fn word(&self) -> &'static str {
        match self.entry {
            Entry::Workflow => "workflow",
            Entry::Coordinator => "coordinator",
            Entry::Bundle(_) => "bundle",
        }
    }

    /// Its jobs are no workflows: they need the scheduler.
    pub fn is_scheduled(&self) -> bool {
        match self.entry {
            Entry::Workflow => false,
            Entry::Coordinator | Entry::Bundle(_) => true,
        }
    }

    /// Every property that a job of the program is given or can do without, by name: what its documents read, and what the
    /// documents that they start read and are not passed.
    pub fn parameters(&self) -> Vec<&'static Parameter> {
        coordinator::parameters(self)
    }
}

/// A URI by which an application that is compiled in is found.
#[derive(Debug)]
pub struct Child {
    /// The normalized `app-path`: no trailing slash, no `/workflow.xml`. Begins with [`APP_PATH`](hpdlc_core::app_uri::APP_PATH) where the child lies below
    /// the application's own folder.
    pub uri: &'static str,
    /// The place in [`Program::apps`]; of a coordinator, in [`Program::coordinators`].
    pub app: usize,
}

/// A file of an application.
#[derive(Debug)]
pub struct File {
    /// Relative, with `/`.
    pub path: &'static str,
    pub bytes: &'static [u8],
    pub is_executable: bool,
}

/// One workflow application.
#[derive(Debug)]
pub struct App {
    /// The `name` attribute.
    pub name: Template,
    /// The XML file as it was given to the compiler, for messages.
    pub source: &'static str,
    /// The application's folder below the unpacked files; "" for the program's own.
    pub folder: &'static str,
    /// Every property that the workflow declares or reads, by name.
    pub parameters: &'static [Parameter],
    /// Properties of `config-default.xml`.
    pub config_default: &'static [Property],
    /// Properties of the `global` section.
    pub global: &'static [Property],
    /// The SLA blocks: of the workflow, and of its actions.
    pub slas: &'static [Sla],
    /// The line at which each node begins.
    pub lines: &'static [u32],
    pub start: NodeId,
    /// The forks whose strands reach a join, in the order of the nodes, and that join. It is here because the number of a node
    /// changes with every node that is inserted above it, and node definitions are to stay as they are.
    pub joins: &'static [(NodeId, NodeId)],
    /// By the number of the node, as are the definitions.
    pub rows: &'static [Row],
    /// What [`definitions`] gives.
    pub definitions: &'static [&'static NodeDef],
}

impl App {
    pub fn node(&self, id: NodeId) -> &'static NodeDef {
        self.definitions[id.index()]
    }

    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &'static NodeDef)> {
        (0..).map(NodeId).zip(self.definitions.iter().copied())
    }

    fn join_of(&self, fork: NodeId) -> Option<NodeId> {
        let place = self.joins.binary_search_by_key(&fork, |(fork, _)| *fork);
        place.ok().map(|place| self.joins[place].1)
    }

    /// What the lines of a node's texts are counted from.
    pub fn origin(&self, id: NodeId) -> Origin {
        Origin {
            file: self.source,
            line: self.lines[id.index()],
        }
    }
}

impl Definition for App {
    fn start(&self) -> NodeId {
        self.start
    }

    fn shape(&self, node: NodeId) -> Shape {
        match self.node(node).kind {
            NodeKind::Start => Shape::Start,
            NodeKind::End => Shape::End,
            NodeKind::Kill { .. } => Shape::Kill,
            NodeKind::Fail { .. } => Shape::Fail,
            NodeKind::Decision { .. } => Shape::Decision,
            NodeKind::Fork { branches } => Shape::Fork {
                branches,
                join: self.join_of(node),
            },
            NodeKind::Join => Shape::Join,
            NodeKind::Action(_) => Shape::Action,
        }
    }

    fn next(&self, node: NodeId, outcome: Outcome) -> Option<NodeId> {
        let Row(_, _, next) = &self.rows[node.index()];
        next.next(outcome)
    }
}

/// A property that the workflow declares or reads.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// From `config-default.xml` or, failing that, `parameters`. `None`: the job must be given one.
    pub default: Option<ParameterDefault>,
    /// Nothing fails where it is absent: it is read only by `wf:conf`, or lazily.
    pub is_optional: bool,
    /// Inferred from its uses: `string`, `number`, `integer`, `boolean`, `path`, `uri` or `date`.
    pub r#type: &'static str,
    /// What `parameters` says about it.
    pub description: Option<&'static str>,
    pub uses: &'static [Uses],
}

/// The value of a property that a job is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterDefault {
    /// Of `config-default.xml`, where [`App::config_default`] has its place.
    Configured(&'static str),
    /// Of `parameters`, with the line in the workflow's file.
    Declared(u32, &'static str),
}

impl ParameterDefault {
    pub fn text(&self) -> &'static str {
        match self {
            ParameterDefault::Configured(text) | ParameterDefault::Declared(_, text) => text,
        }
    }
}

impl Parameter {
    /// A job without this property is refused.
    pub fn is_required(&self) -> bool {
        self.default.is_none() && !self.is_optional
    }

    /// The places that use it, in the order of the documents.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        self.uses.iter().flat_map(Uses::places)
    }
}

/// An SLA block.
#[derive(Debug)]
pub struct Sla {
    /// The action whose block it is; the workflow's own has none.
    pub node: Option<NodeId>,
    /// Its texts, by their names in the schema.
    pub elements: &'static [Property],
}

/// One node of the graph.
#[derive(Debug)]
pub struct NodeDef {
    pub name: &'static str,
    pub kind: NodeKind,
}

#[derive(Debug)]
pub enum NodeKind {
    Start,
    End,
    Kill {
        message: Template,
    },
    /// As a kill node, and the job ends FAILED: the dialect of 2009 has it.
    Fail {
        message: Template,
    },
    /// The cases but for the default, in the order in which they are tried.
    Decision {
        cases: &'static [Template],
    },
    Fork {
        branches: u32,
    },
    Join,
    Action(Action),
}

/// Calls a function of the expression language by its name: for calls that generated code cannot make directly.
///
/// # Errors
///
/// What the function gives, or that there is none of this name and number of arguments.
pub fn call(
    scope: &dyn Scope,
    prefix: Option<&str>,
    name: &str,
    args: &[Value],
) -> Result<Value, ElError> {
    let function = functions::find(prefix, name).ok_or_else(|| functions::unknown(prefix, name))?;
    functions::call(function, scope, args.to_vec())
}
