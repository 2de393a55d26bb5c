//! Every text of a workflow with expressions, and what it may use; the passes over expressions share the list.

use std::sync::Arc;

use hpdlc_core::el::{
    ast::{self, Part},
    constants, phase,
    value::Value,
};

use crate::{
    analysis::action_types,
    lookup::AddressLookup,
    model::{
        Action, ActionKind, Configuration, NodeId, NodeKind, Property, Sla, Template, WorkflowApp,
        action::{HadoopSettings, PrepareOperation, fs::FsOperationKind},
    },
    source::Span,
};

pub(crate) use crate::analysis::action_types::TextType;

/// When a text is evaluated, which determines what it may use (Oozie's `ELService` contexts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TemplatePhase {
    /// At submission, with job properties alone (`job-submit`).
    JobSubmit,
    /// At submission, with job properties and constants of time (`wf-sla-submit`).
    Sla,
    /// When an action starts, with job properties alone (`JavaActionExecutor.getCredProperties`).
    Credentials,
    /// When a node starts, with the workflow's functions and constants (`workflow`).
    Workflow,
}

impl TemplatePhase {
    /// The value of the constant of that name, if this phase defines it.
    pub(crate) fn constant(self, name: &str) -> Option<Value> {
        match self {
            TemplatePhase::JobSubmit | TemplatePhase::Credentials => None,
            TemplatePhase::Sla => constants::of_phase(phase::Phase::WorkflowSla, name),
            TemplatePhase::Workflow => constants::of_phase(phase::Phase::Workflow, name),
        }
    }
}

/// A text and how it is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TemplateUse<'a> {
    pub(crate) template: &'a Template,
    pub(crate) phase: TemplatePhase,
    pub(crate) wanted: TextType,
    /// The node that evaluates it; `None` if it does not belong to one node.
    pub(crate) node: Option<NodeId>,
    /// `${name}` is replaced by the property of any name, dots included, before the text is evaluated.
    pub(crate) is_substituted: bool,
    /// Uses with the same number have the same text and are used in the same way: what a pass finds for one of them holds
    /// for all. Large workflows have very many uses of few forms.
    pub(crate) form: usize,
}

/// The forms in which a pass has found nothing, so that it can skip their next uses.
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

/// All texts of `app` that parsed and have an expression, or what may be a slip for one, each once, in document order;
/// `config-default.xml` comes last.
pub(crate) fn collect(app: &WorkflowApp) -> Vec<TemplateUse<'_>> {
    let mut uses = TemplateUses {
        list: Vec::new(),
        forms: AddressLookup::default(),
        n_forms: 0,
        global_spans: Vec::new(),
        node: None,
        is_substituted: false,
    };
    uses.push(&app.name, TemplatePhase::JobSubmit, TextType::Text);
    if let Some(global) = &app.global {
        uses.uris(&global.name_node);
        uses.text(&global.resource_manager);
        uses.paths(&global.job_xml);
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
    for credential in app
        .credentials
        .iter()
        .flat_map(|credentials| &credentials.list)
    {
        for property in &credential.properties {
            uses.push(&property.name, TemplatePhase::Credentials, TextType::Text);
            uses.push(&property.value, TemplatePhase::Credentials, TextType::Text);
        }
    }
    for node in &app.nodes {
        uses.node = Some(node.id);
        match &node.kind {
            NodeKind::Start(_) | NodeKind::End(_) | NodeKind::Fork(_) | NodeKind::Join(_) => {}
            NodeKind::Kill(kill) => uses.text([&kill.message]),
            NodeKind::Decision(decision) => {
                for case in &decision.cases {
                    uses.push(&case.predicate, TemplatePhase::Workflow, TextType::Boolean);
                }
            }
            NodeKind::Action(action) => uses.action(action),
        }
    }
    uses.node = None;
    if let Some(sla) = &app.sla {
        uses.service_level(sla);
    }
    uses.is_substituted = true;
    uses.properties(&app.config_default);
    uses.list
}

/// The properties of every `configuration`, in document order, with `config-default.xml` last.
pub(crate) fn properties(app: &WorkflowApp) -> impl Iterator<Item = &Property> {
    let global = app.global.iter().map(|global| &global.configuration);
    let actions = app
        .actions()
        .filter_map(|(_, action)| action.kind.settings())
        .map(|settings| &settings.configuration);
    global
        .chain(actions)
        .flat_map(|configuration| &configuration.properties)
        .chain(&app.config_default)
}

/// The paths that an action itself, or its `prepare`, operates on.
pub(crate) fn paths(kind: &ActionKind) -> Vec<&Template> {
    let prepared = kind
        .prepare()
        .into_iter()
        .flatten()
        .map(PrepareOperation::path);
    let own = action_types::of(kind).map_or_else(Vec::new, |it| it.paths());
    prepared.chain(own).collect()
}

struct TemplateUses<'a> {
    list: Vec<TemplateUse<'a>>,
    /// `None` for forms that no pass reports anything about.
    forms: AddressLookup<TemplateForm, Option<usize>>,
    n_forms: usize,
    global_spans: Vec<Span>,
    node: Option<NodeId>,
    is_substituted: bool,
}

/// Whether it has an expression, or what may be a slip for one.
fn may_say_something(template: &Template) -> bool {
    let mut parts = template.ast.parts.iter();
    let text = template.text.as_str();
    // Most do not have them, and searching for one byte is fast.
    let has_sign = || text.as_bytes().contains(&b'$') || text.as_bytes().contains(&b'{');
    parts.any(|part| matches!(part, Part::Expr(_))) || has_sign()
}

/// The key of equal uses; the tree is identified by its address, as lowering shares the trees of equal texts.
type TemplateForm = (*const ast::Template, TemplatePhase, TextType, bool);

impl<'a> TemplateUses<'a> {
    fn push(&mut self, template: &'a Template, phase: TemplatePhase, wanted: TextType) {
        // Parse errors have been reported; texts of `global` have been visited there.
        if template.is_invalid || self.global_spans.contains(&template.span) {
            return;
        }
        let is_substituted = self.is_substituted;
        let tree = Arc::as_ptr(&template.ast);
        let next = self.n_forms;
        let form = *self
            .forms
            .get_or_insert_with((tree, phase, wanted, is_substituted), || {
                may_say_something(template).then_some(next)
            });
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
        self.wanted(TextType::Text, templates);
    }

    fn paths(&mut self, templates: impl IntoIterator<Item = &'a Template>) {
        self.wanted(TextType::Path, templates);
    }

    fn uris(&mut self, templates: impl IntoIterator<Item = &'a Template>) {
        self.wanted(TextType::Uri, templates);
    }

    fn wanted(&mut self, wanted: TextType, templates: impl IntoIterator<Item = &'a Template>) {
        for template in templates {
            self.push(template, TemplatePhase::Workflow, wanted);
        }
    }

    fn service_level(&mut self, sla: &'a Sla) {
        for text in sla.templates() {
            let is_date = sla
                .texts
                .nominal_time
                .as_ref()
                .is_some_and(|time| std::ptr::eq(time, text));
            let wanted = if is_date {
                TextType::Date
            } else {
                TextType::Text
            };
            self.push(text, TemplatePhase::Sla, wanted);
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
        self.uris(&settings.name_node);
        self.text(&settings.resource_manager);
        self.paths(&settings.job_xml);
        self.configuration(&settings.configuration);
    }

    fn action(&mut self, action: &'a Action) {
        for (template, wanted) in [
            (&action.retry.max, TextType::Integer),
            (&action.retry.interval, TextType::Integer),
            (&action.retry.policy, TextType::Text),
        ] {
            if let Some(template) = template {
                self.push(template, TemplatePhase::JobSubmit, wanted);
            }
        }
        if let Some(settings) = action.kind.settings() {
            self.settings(settings);
        }
        if let Some(prepare) = action.kind.prepare() {
            self.paths(prepare.iter().map(PrepareOperation::path));
        }
        if let Some(body) = action_types::of(&action.kind) {
            let attributes = body
                .operations()
                .into_iter()
                .flat_map(FsOperationKind::attributes);
            for (name, texts) in body.elements().into_iter().chain(attributes) {
                self.wanted(body.text_type(name), texts);
            }
        }
        if let Some(sla) = &action.sla {
            self.service_level(sla);
        }
    }
}
