//! The static table that a generated program passes to the runtime: graph, templates, files.
//!
//! The table consists of plain data and plain `fn` pointers, so that the runtime is compiled once and a generated crate
//! compiles fast. Only the compiler's `codegen` generates these values.

mod action;
pub mod applications;
mod coordinator;
pub mod linked;
mod properties;
mod rows;
mod text;

use std::borrow::Cow;

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome, Shape},
    el::{
        error::ElError,
        functions::{self, Function},
        scope::{Origin, Scope},
        value::Value,
    },
};

pub use self::{
    action::*,
    coordinator::{
        Bundle, BundleCoordinator, Controls, Coordinator, Dataset, Event, Include, Instances,
        Logic, LogicKind,
    },
    properties::Property,
    rows::{Next, Row, definitions},
    text::{Outside, Part, Place, Placed, Template, TestFn, Uses, ValueFn},
};

/// A compiled program: one application and the children compiled in with it.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The version of hpdlc that compiled it.
    pub hpdlc_version: &'static str,
    /// The definition hash: identifies the compiler's entire input and its version. 16 hex digits, to which a program with functions of its
    /// own adds `-` and 16 digits of its executable when it runs.
    pub hash: &'static str,
    /// The kind of document that a job of the program runs.
    pub entry: Entry,
    /// The workflows, each once. If the program is compiled from a workflow, that is the first.
    pub apps: &'static [&'static App],
    /// The coordinators, in the same way.
    pub coordinators: &'static [&'static Coordinator],
    /// The URIs by which workflows are found, with their indexes in [`Program::apps`].
    pub children: &'static [Child],
    /// The files of the applications, relative to the folder where they are unpacked.
    pub files: &'static [File],
}

/// The document that a program starts.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// The first of [`Program::apps`].
    Workflow,
    /// The only one of [`Program::coordinators`].
    Coordinator,
    Bundle(&'static Bundle),
}

impl Program {
    /// A program without a document, for code that is only checked.
    pub const EMPTY: Program = Program {
        hpdlc_version: "",
        hash: "",
        entry: Entry::Workflow,
        apps: &[],
        coordinators: &[],
        children: &[],
        files: &[],
    };

    /// The document's `name`, which may contain expressions.
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

    /// The kind of the program's document, for display.
    pub fn word(&self) -> &'static str {
        match self.entry {
            Entry::Workflow => "workflow",
            Entry::Coordinator => "coordinator",
            Entry::Bundle(_) => "bundle",
        }
    }

    /// Whether its jobs are coordinators or bundles, which need the scheduler.
    pub fn is_scheduled(&self) -> bool {
        match self.entry {
            Entry::Workflow => false,
            Entry::Coordinator | Entry::Bundle(_) => true,
        }
    }

    /// Whether its jobs call functions that are no part of its documents: in expressions, or as `rust` actions.
    pub fn has_functions(&self) -> bool {
        let in_expressions = self.apps.iter().any(|app| !app.functions.is_empty());
        in_expressions || !called_functions(self).is_empty()
    }

    /// Every property of a job of the program, required or optional, by name: those that its documents read, and those
    /// that the documents that they start read and are not passed.
    pub fn parameters(&self) -> Vec<&'static Parameter> {
        coordinator::parameters(self)
    }
}

/// A URI by which a compiled-in application is found.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The normalized `app-path`: no trailing slash, no `/workflow.xml`. Begins with
    /// [`APP_PATH`](hpdlc_core::app_uri::APP_PATH) if the child is inside the application's own folder.
    pub uri: &'static str,
    /// The index in [`Program::apps`]; of a coordinator, in [`Program::coordinators`].
    pub app: usize,
}

/// A file of an application.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Relative, with `/`.
    pub path: &'static str,
    pub bytes: &'static [u8],
    pub is_executable: bool,
}

/// One workflow application.
#[derive(Clone, Copy, Debug)]
pub struct App {
    /// The `name` attribute.
    pub name: Template,
    /// The XML file as it was given to the compiler, for messages.
    pub source: &'static str,
    /// The application's folder, relative to the unpacked files; "" for the program's own.
    pub folder: &'static str,
    /// Every property that the workflow declares or reads, by name.
    pub parameters: &'static [Parameter],
    /// Properties of `config-default.xml`.
    pub config_default: &'static [Property],
    /// Properties of the `global` section.
    pub global: &'static [Property],
    /// The SLA blocks: of the workflow, and of its actions.
    pub slas: &'static [Sla],
    /// The line in which each node begins.
    pub lines: &'static [u32],
    pub start: NodeId,
    /// Pairs of a fork and the join that its branches reach, sorted by fork. They are not in the node definitions because
    /// inserting a node changes the numbers of all later nodes, and must not change their definitions.
    pub joins: &'static [(NodeId, NodeId)],
    /// The functions of the program that its expressions call.
    pub functions: &'static [&'static Function],
    /// Indexed by the number of the node, as are the definitions.
    pub rows: &'static [Row],
    /// The result of [`definitions`].
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

    /// The file and line that the lines of a node's texts are relative to.
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
    /// From `config-default.xml`, otherwise from `parameters`. `None`: there is no default.
    pub default: Option<ParameterDefault>,
    /// Whether its absence causes no failure: it is read only by `wf:conf`, or lazily.
    pub is_optional: bool,
    /// Inferred from its uses: `string`, `number`, `integer`, `boolean`, `path`, `uri` or `date`.
    pub r#type: &'static str,
    /// The description in `parameters`.
    pub description: Option<&'static str>,
    pub uses: &'static [Uses],
}

/// The default value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterDefault {
    /// From `config-default.xml`; its place is in [`App::config_default`].
    Configured(&'static str),
    /// From `parameters`, with the line in the workflow's file.
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
    /// Whether a job without this property is rejected.
    pub fn is_required(&self) -> bool {
        self.default.is_none() && !self.is_optional
    }

    /// The places that use it, in document order.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        self.uses.iter().flat_map(Uses::places)
    }
}

/// The texts of an SLA block.
pub type SlaTexts = hpdlc_core::sla::SlaTexts<Template>;

/// An SLA block of a workflow.
#[derive(Debug)]
pub struct Sla {
    /// The action that it belongs to; `None` for the block of the workflow.
    pub node: Option<NodeId>,
    pub texts: SlaTexts,
}

/// One node of the graph.
#[derive(Debug)]
pub struct NodeDef {
    pub name: &'static str,
    pub kind: NodeKind,
}

#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a constant: a reference to each action costs rustc more than the space"
)]
pub enum NodeKind {
    Start,
    End,
    Kill {
        message: Template,
    },
    /// Like a kill node, but the job ends FAILED; only in the dialect of 2009.
    Fail {
        message: Template,
    },
    /// The cases except the default, in order of evaluation.
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
/// The function's own error, or that no function has this name and number of arguments.
pub fn call(
    scope: &dyn Scope,
    prefix: Option<&str>,
    name: &str,
    args: &[Value],
) -> Result<Value, ElError> {
    let function = functions::find(prefix, name).ok_or_else(|| functions::unknown(prefix, name))?;
    functions::call(function, scope, args.to_vec())
}
