//! Every text of a workflow that holds expressions, with what it may ask for; the passes over expressions share the list.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::Arc,
};

use hpdlc_core::el::ast::{self, Part};

use crate::{
    model::{
        ActionKind, Configuration, NodeId, NodeKind, Property, Template, WorkflowApp,
        action::{
            FsOperation, HadoopSettings, Prepare, PrepareOperation, fs::FsOperationKind,
            java::JavaOpts,
        },
    },
    source::Span,
};

/// When a text is evaluated, which decides what it may use (Oozie's `ELService` contexts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    /// At submission, with job properties alone (`job-submit`).
    JobSubmit,
    /// When a node starts, with the workflow's functions and constants (`workflow`).
    Workflow,
}

/// What the text of a template is for, as far as an inferred type depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    Text,
    /// Compared with `true`.
    Boolean,
    /// Read as a number.
    Integer,
}

/// A text and how it is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TemplateUse<'a> {
    pub(crate) template: &'a Template,
    pub(crate) phase: Phase,
    pub(crate) wanted: Wanted,
    /// The node that evaluates it; none where it is not one node's.
    pub(crate) node: Option<NodeId>,
    /// `${name}` is replaced by the property of any name, dots included, before the text is evaluated.
    pub(crate) is_substituted: bool,
    /// Uses with the same number have the same text and are used alike: what a pass finds out about one of them holds for
    /// all. Large workflows have very many uses of few forms.
    pub(crate) form: usize,
}

/// The forms in which a pass has found nothing wrong, so that it need not look at the next use of them.
#[derive(Debug, Default)]
pub(crate) struct SoundForms(Vec<bool>);

impl SoundForms {
    pub(crate) fn contains(&self, form: usize) -> bool {
        self.0.get(form).copied().unwrap_or(false)
    }

    pub(crate) fn insert(&mut self, form: usize) {
        if self.0.len() <= form {
            self.0.resize(form + 1, false);
        }
        self.0[form] = true;
    }
}

/// All texts of `app` that parsed and hold an expression, or what some take for one, each once, in the order of the document; `config-default.xml`
/// comes last.
pub(crate) fn collect(app: &WorkflowApp) -> Vec<TemplateUse<'_>> {
    let mut uses = Uses {
        list: Vec::new(),
        forms: HashMap::default(),
        n_forms: 0,
        global_spans: Vec::new(),
        node: None,
        is_substituted: false,
    };
    uses.push(&app.name, Phase::JobSubmit, Wanted::Text);
    if let Some(global) = &app.global {
        uses.text(&global.name_node);
        uses.text(&global.resource_manager);
        uses.text(&global.job_xml);
        uses.configuration(&global.configuration);
        // Lowering has copied these into the actions.
        uses.global_spans = global
            .name_node
            .iter()
            .chain(&global.resource_manager)
            .chain(&global.job_xml)
            .map(|template| template.span)
            .collect();
    }
    for node in &app.nodes {
        uses.node = Some(node.id);
        match &node.kind {
            NodeKind::Start(_) | NodeKind::End(_) | NodeKind::Fork(_) | NodeKind::Join(_) => {}
            NodeKind::Kill(kill) => uses.text([&kill.message]),
            NodeKind::Decision(decision) => {
                for case in &decision.cases {
                    uses.push(&case.predicate, Phase::Workflow, Wanted::Boolean);
                }
            }
            NodeKind::Action(action) => {
                for (template, wanted) in [
                    (&action.retry.max, Wanted::Integer),
                    (&action.retry.interval, Wanted::Integer),
                    (&action.retry.policy, Wanted::Text),
                ] {
                    if let Some(template) = template {
                        uses.push(template, Phase::JobSubmit, wanted);
                    }
                }
                uses.action(&action.kind);
            }
        }
    }
    uses.node = None;
    uses.is_substituted = true;
    uses.properties(&app.config_default);
    uses.list
}

/// The properties of every `configuration`, in the order of the document, with `config-default.xml` last.
pub(crate) fn properties(app: &WorkflowApp) -> impl Iterator<Item = &Property> {
    let global = app.global.iter().map(|global| &global.configuration);
    let actions = app
        .nodes
        .iter()
        .filter_map(|node| settings(&node.kind))
        .map(|settings| &settings.configuration);
    global
        .chain(actions)
        .flat_map(|configuration| &configuration.properties)
        .chain(&app.config_default)
}

fn settings(kind: &NodeKind) -> Option<&HadoopSettings> {
    let NodeKind::Action(action) = kind else {
        return None;
    };
    match &action.kind {
        ActionKind::Fs(fs) => Some(&fs.settings),
        ActionKind::Java(java) => Some(&java.settings),
        ActionKind::Shell(shell) => Some(&shell.settings),
        ActionKind::SubWorkflow(sub) => Some(&sub.settings),
        ActionKind::Unsupported(_) => None,
    }
}

/// The paths that an `fs` action or a `prepare` works on.
pub(crate) fn paths(kind: &ActionKind) -> Vec<&Template> {
    match kind {
        ActionKind::Fs(fs) => fs.operations.iter().flat_map(fs_paths).collect(),
        ActionKind::Java(java) => prepared_paths(&java.prepare),
        ActionKind::Shell(shell) => prepared_paths(&shell.prepare),
        ActionKind::SubWorkflow(_) | ActionKind::Unsupported(_) => Vec::new(),
    }
}

fn prepared_paths(prepare: &Prepare) -> Vec<&Template> {
    prepare
        .operations
        .iter()
        .map(|operation| match operation {
            PrepareOperation::Delete(path) | PrepareOperation::Mkdir(path) => path,
        })
        .collect()
}

fn fs_paths(operation: &FsOperation) -> Vec<&Template> {
    match &operation.kind {
        FsOperationKind::Delete { path, .. }
        | FsOperationKind::Mkdir { path }
        | FsOperationKind::Chmod { path, .. }
        | FsOperationKind::Chgrp { path, .. }
        | FsOperationKind::Touchz { path }
        | FsOperationKind::Setrep { path, .. } => vec![path],
        FsOperationKind::Move { source, target } => vec![source, target],
    }
}

struct Uses<'a> {
    list: Vec<TemplateUse<'a>>,
    /// `None` for those that no pass has a word about.
    forms: HashMap<Form, Option<usize>, BuildHasherDefault<AddressHasher>>,
    n_forms: usize,
    global_spans: Vec<Span>,
    node: Option<NodeId>,
    is_substituted: bool,
}

/// Whether there is an expression in it, or the `#{` of one.
fn may_say_something(template: &Template) -> bool {
    let mut parts = template.ast.parts.iter();
    parts.any(|part| matches!(part, Part::Expr(_))) || template.text.as_str().contains("#{")
}

/// By what uses are alike; the tree by its address, as lowering shares those of equal texts.
type Form = (*const ast::Template, Phase, Wanted, bool);

/// Spreads addresses and small numbers. Nobody chooses them to collide, so it need not be as careful as the standard
/// hasher, which takes longer than all the rest of collecting.
#[derive(Debug, Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // 2^64 divided by the golden ratio; addresses differ in their middle bits, tables use the highest and lowest.
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(u64::try_from(number).unwrap_or(u64::MAX));
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number.cast_unsigned().try_into().unwrap_or(u64::MAX));
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

impl<'a> Uses<'a> {
    fn push(&mut self, template: &'a Template, phase: Phase, wanted: Wanted) {
        // What did not parse has been reported; what `global` brings has been seen there.
        if template.is_invalid || self.global_spans.contains(&template.span) {
            return;
        }
        let is_substituted = self.is_substituted;
        let tree = Arc::as_ptr(&template.ast);
        let next = self.n_forms;
        let form = *self
            .forms
            .entry((tree, phase, wanted, is_substituted))
            .or_insert_with(|| may_say_something(template).then_some(next));
        let Some(form) = form else { return };
        self.n_forms = self.n_forms.max(form + 1);
        self.list.push(TemplateUse {
            template,
            phase,
            wanted,
            node: self.node,
            is_substituted,
            form,
        });
    }

    fn text(&mut self, templates: impl IntoIterator<Item = &'a Template>) {
        for template in templates {
            self.push(template, Phase::Workflow, Wanted::Text);
        }
    }

    fn properties(&mut self, properties: &'a [Property]) {
        self.text(
            properties
                .iter()
                .flat_map(|property| [&property.name, &property.value]),
        );
    }

    fn configuration(&mut self, configuration: &'a Configuration) {
        self.properties(&configuration.properties);
    }

    fn settings(&mut self, settings: &'a HadoopSettings) {
        self.text(&settings.name_node);
        self.text(&settings.resource_manager);
        self.text(&settings.job_xml);
        self.configuration(&settings.configuration);
    }

    fn action(&mut self, kind: &'a ActionKind) {
        match kind {
            ActionKind::Fs(fs) => {
                self.settings(&fs.settings);
                for operation in &fs.operations {
                    self.fs_operation(operation);
                }
            }
            ActionKind::Java(java) => {
                self.settings(&java.settings);
                self.text(prepared_paths(&java.prepare));
                self.text([&java.main_class]);
                match &java.java_opts {
                    JavaOpts::None => {}
                    JavaOpts::Text(text) => self.text([text]),
                    JavaOpts::List(options) => self.text(options),
                }
                self.text(java.args.iter().chain(&java.files).chain(&java.archives));
            }
            ActionKind::Shell(shell) => {
                self.settings(&shell.settings);
                self.text(prepared_paths(&shell.prepare));
                self.text([&shell.exec]);
                self.text(
                    shell
                        .arguments
                        .iter()
                        .chain(&shell.env_vars)
                        .chain(&shell.files)
                        .chain(&shell.archives),
                );
            }
            ActionKind::SubWorkflow(sub) => {
                self.settings(&sub.settings);
                self.text([&sub.app_path]);
            }
            ActionKind::Unsupported(_) => {}
        }
    }

    fn fs_operation(&mut self, operation: &'a FsOperation) {
        self.text(fs_paths(operation));
        match &operation.kind {
            FsOperationKind::Delete { skip_trash, .. } => {
                if let Some(skip_trash) = skip_trash {
                    self.push(skip_trash, Phase::Workflow, Wanted::Boolean);
                }
            }
            FsOperationKind::Chmod {
                permissions,
                dir_files,
                ..
            } => {
                self.text([permissions]);
                if let Some(dir_files) = dir_files {
                    self.push(dir_files, Phase::Workflow, Wanted::Boolean);
                }
            }
            FsOperationKind::Chgrp {
                group, dir_files, ..
            } => {
                self.text([group]);
                if let Some(dir_files) = dir_files {
                    self.push(dir_files, Phase::Workflow, Wanted::Boolean);
                }
            }
            FsOperationKind::Setrep { factor, .. } => {
                self.push(factor, Phase::Workflow, Wanted::Integer);
            }
            FsOperationKind::Mkdir { .. }
            | FsOperationKind::Move { .. }
            | FsOperationKind::Touchz { .. } => {}
        }
    }
}
