//! The workflow application and its nodes.

use std::{collections::BTreeMap, sync::Arc};

use hpdlc_core::el::functions::Dialect;

use crate::{
    model::{
        Action, Case, Credentials, Decision, End, Fork, ForkPath, Global, Join, Kill, OwnFunction,
        Parameter, Property, Sla, Start, Template, WorkflowVersion, action::SubWorkflow,
        extension::Extension,
    },
    source::{FileId, Span, Spanned},
};

/// A workflow application: a `workflow.xml` and the files beside it.
#[derive(Clone, Debug)]
pub struct WorkflowApp {
    pub file: FileId,
    /// The name in the root element's start tag, where missing elements are reported.
    pub root_span: Span,
    pub version: WorkflowVersion,
    /// The language of the document; in that of 2009 the version has no meaning.
    pub dialect: Dialect,
    /// The `name` attribute. Oozie evaluates it at submission, with job properties and without functions.
    pub name: Template,
    pub parameters: Vec<Parameter>,
    pub global: Option<Global>,
    pub credentials: Option<Credentials>,
    /// Properties of `config-default.xml` beside the workflow, in document order.
    pub config_default: Vec<Property>,
    /// All nodes in document order; `nodes[id.index()]` is the node `id`. Duplicates are kept, and reported by analysis.
    pub nodes: Vec<Node>,
    pub sla: Option<Box<Sla>>,
    /// What the extensions define that its actions may use.
    pub extensions: &'static [Extension],
    /// Whether no manifest of an extension is missing or invalid, which has been reported.
    pub has_all_extensions: bool,
    /// What its expressions can call besides the functions of Oozie. The driver knows them.
    pub functions: Vec<OwnFunction>,
    /// The scripts in its folder, by the text that names them. The driver reads them.
    pub scripts: BTreeMap<String, Script>,
}

/// A script in the application's folder.
#[derive(Clone, Debug)]
pub struct Script {
    /// Relative to the folder.
    pub path: String,
    pub text: Arc<str>,
}

impl WorkflowApp {
    /// The function of the program with this prefix and name.
    pub fn own_function(&self, prefix: Option<&str>, name: &str) -> Option<&OwnFunction> {
        let mut functions = self.functions.iter();
        functions.find(|own| prefix == Some(own.prefix.as_str()) && own.name == name)
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The actions and their nodes, in document order.
    pub fn actions(&self) -> impl Iterator<Item = (&Node, &Action)> {
        self.nodes.iter().filter_map(|node| match &node.kind {
            NodeKind::Action(action) => Some((node, action.as_ref())),
            NodeKind::Start(_)
            | NodeKind::End(_)
            | NodeKind::Kill(_)
            | NodeKind::Decision(_)
            | NodeKind::Fork(_)
            | NodeKind::Join(_) => None,
        })
    }

    /// The `sub-workflow` actions, in document order.
    pub fn sub_workflows(&self) -> impl Iterator<Item = &SubWorkflow> {
        self.actions()
            .filter_map(|(_, action)| action.kind.sub_workflow())
    }

    /// The extensions whose types and functions its actions use, and those that have the functions that its expressions call.
    pub fn used_extensions(
        &self,
        called: &[OwnFunction],
    ) -> impl Iterator<Item = &'static Extension> {
        self.extensions.iter().filter(|extension| {
            let mut of_actions = self
                .actions()
                .filter_map(|(_, action)| action.kind.called_function(action.body_span));
            of_actions.any(|function| extension.has(&function.value))
                || called.iter().any(|it| it.is_of(&extension.name))
        })
    }

    /// The first node of that name. `:start:` is the start node's.
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes
            .iter()
            .find(|node| node.name.value == name)
            .map(|node| node.id)
    }

    /// Whether a name or a target is missing, which has been reported: what the graph seems to lack may exist.
    pub fn has_gaps(&self) -> bool {
        self.nodes
            .iter()
            .any(|node| node.name.value.is_empty() || node.has_unusable_transition())
    }

    /// The names that a transition may use, in document order.
    pub fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes
            .iter()
            .filter(|node| !matches!(node.kind, NodeKind::Start(_)))
            .filter(|node| !node.name.value.is_empty())
            .map(|node| node.name.value.as_str())
    }
}

/// The index of a node in [`WorkflowApp::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of the workflow graph: a control flow node or an action.
#[derive(Clone, Debug)]
pub struct Node {
    pub id: NodeId,
    /// `:start:` for the start node, with the span of its element name. Empty if it is missing, which has been reported.
    pub name: Spanned<String>,
    /// The name in the node's start tag.
    pub tag_span: Span,
    pub kind: NodeKind,
}

#[derive(Clone, Debug)]
pub enum NodeKind {
    Start(Start),
    End(End),
    Kill(Kill),
    Decision(Decision),
    Fork(Fork),
    Join(Join),
    Action(Box<Action>),
}

impl NodeKind {
    /// The element's name, which users know as the kind of node.
    pub fn element(&self) -> &'static str {
        match self {
            NodeKind::Start(_) => "start",
            NodeKind::End(_) => "end",
            NodeKind::Kill(kill) if kill.fails_job => "fail",
            NodeKind::Kill(_) => "kill",
            NodeKind::Decision(_) => "decision",
            NodeKind::Fork(_) => "fork",
            NodeKind::Join(_) => "join",
            NodeKind::Action(_) => "action",
        }
    }
}

/// The kind of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransitionKind {
    /// The only transition of `start`.
    Start,
    /// Of an action that succeeded.
    Ok,
    /// Of an action that ended in ERROR.
    Error,
    /// The n-th `case` of a decision, counted from 0.
    Case(u32),
    /// The `default` of a decision.
    Default,
    /// The n-th `path` of a fork, counted from 0.
    Branch(u32),
    /// The transition of a join.
    Joined,
}

impl Node {
    /// The transitions of this node in Oozie's order: `ok` before `error`, cases in document order before `default`.
    ///
    /// One whose target is missing or not a valid name is omitted: it is empty in the model, and has been reported.
    pub fn targets(&self) -> impl Iterator<Item = (TransitionKind, &Spanned<String>)> {
        self.written_targets()
            .filter(|(_, target)| !target.value.is_empty())
    }

    /// Whether [`targets`](Node::targets) omits one.
    pub fn has_unusable_transition(&self) -> bool {
        self.written_targets()
            .any(|(_, target)| target.value.is_empty())
    }

    fn written_targets(&self) -> impl Iterator<Item = (TransitionKind, &Spanned<String>)> {
        let mut paths: &[ForkPath] = &[];
        let mut cases: &[Case] = &[];
        let mut others = [None, None];
        match &self.kind {
            NodeKind::Start(start) => others[0] = Some((TransitionKind::Start, &start.to)),
            NodeKind::End(_) | NodeKind::Kill(_) => {}
            NodeKind::Join(join) => others[0] = Some((TransitionKind::Joined, &join.to)),
            NodeKind::Fork(fork) => paths = &fork.paths,
            NodeKind::Decision(decision) => {
                cases = &decision.cases;
                others[0] = decision
                    .default
                    .as_ref()
                    .map(|to| (TransitionKind::Default, to));
            }
            NodeKind::Action(action) => {
                others = [
                    Some((TransitionKind::Ok, &action.ok)),
                    Some((TransitionKind::Error, &action.error)),
                ];
            }
        }
        let paths = (0..)
            .zip(paths)
            .map(|(n, path)| (TransitionKind::Branch(n), &path.start));
        let cases = (0..)
            .zip(cases)
            .map(|(n, case)| (TransitionKind::Case(n), &case.to));
        paths.chain(cases).chain(others.into_iter().flatten())
    }
}
