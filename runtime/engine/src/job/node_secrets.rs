//! Secrets that are known by their place in a node, whatever the names of the properties that they come from.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use hpdlc_core::{
    el::scope::{Origin, Scope},
    secrets::{Secrets, holds_secret, is_secret_name},
};
use hpdlc_files::Access;
use hpdlc_host::mask::{Mask, is_secret_element};
use hpdlc_program::table::{Action, App, NodeKind, Program, Property, Template};

use crate::job::scope::{JobScope, NodeScope};

/// The mask of a job of `app`, including the secrets of its nodes: the element `password` of an action, the value of the argument
/// `--password`, a property of their configuration.
pub fn mask(app: &'static App, conf: &BTreeMap<String, String>) -> Mask {
    Mask::with(conf, &secrets(app, conf))
}

/// The mask of a job whose nodes only another executable has, from what that has [`recorded`].
pub fn mask_of_recorded(recorded: &str, conf: &BTreeMap<String, String>) -> Mask {
    Mask::with(conf, &of_recorded(recorded, conf))
}

/// The secrets of the nodes of `app` in a job with these properties, as far as they are known before it runs.
fn secrets(app: &'static App, conf: &BTreeMap<String, String>) -> Secrets {
    let mut values = SecretValues::of(conf);
    visit(app, |is_secret, template| {
        values.add(is_secret, |scope| template.evaluate(scope).ok());
    });
    values.all
}

/// The texts of nodes that are or contain secrets in the jobs of a program, for executables without these nodes.
pub fn recorded(program: &Program) -> Option<String> {
    let mut texts: BTreeSet<(bool, Cow<'static, str>)> = BTreeSet::new();
    for app in program.apps {
        visit(app, |is_secret, template| {
            texts.insert((is_secret, template.source()));
        });
    }
    if texts.is_empty() {
        return None;
    }
    serde_json::to_string(&texts).ok()
}

/// As [`secrets`], from the result of [`recorded`].
fn of_recorded(recorded: &str, conf: &BTreeMap<String, String>) -> Secrets {
    let texts: Vec<(bool, String)> = serde_json::from_str(recorded).unwrap_or_default();
    let mut values = SecretValues::of(conf);
    for (is_secret, text) in texts {
        values.add(is_secret, |scope| {
            hpdlc_program::evaluate::evaluate_text(scope, &text).ok()
        });
    }
    values.all
}

/// Visits the texts of an application that are secrets, or may contain some, judging by their form.
fn visit(app: &'static App, found: impl FnMut(bool, Template)) {
    let mut visitor = Visitor { found };
    for layer in [app.config_default, app.global] {
        visitor.properties(layer);
    }
    for (_, def) in app.nodes() {
        if let NodeKind::Action(action) = &def.kind {
            visitor.action(action);
        }
    }
}

struct Visitor<F> {
    found: F,
}

impl<F: FnMut(bool, Template)> Visitor<F> {
    fn action(&mut self, action: &'static Action) {
        let def = action.body.def();
        let mut elements = def.elements();
        if let Some(settings) = def.settings() {
            self.properties(settings.configuration);
            elements.extend(settings.elements());
        }
        for (name, texts) in elements {
            let mut before: Option<Cow<'_, str>> = None;
            for text in texts {
                let is_secret = is_secret_element(def.type_name(), name, before.as_deref());
                self.text(is_secret, *text);
                before = Some(text.source());
            }
        }
    }

    fn properties(&mut self, layer: &'static [Property]) {
        for property in layer {
            self.text(is_secret_name(&property.name()), property.value());
        }
    }

    fn text(&mut self, is_secret: bool, template: Template) {
        let source = template.source();
        // What blocks asks other systems, and is known when it runs.
        if !template.is_blocking() && (is_secret || may_hold(&source)) {
            (self.found)(is_secret, template);
        }
    }
}

/// The values of such texts in a job.
struct SecretValues<'a> {
    /// Created when needed: most workflows have no secrets.
    view: Option<JobScope>,
    conf: &'a BTreeMap<String, String>,
    all: Secrets,
}

impl SecretValues<'_> {
    fn of(conf: &BTreeMap<String, String>) -> SecretValues<'_> {
        SecretValues {
            view: None,
            conf,
            all: Secrets::default(),
        }
    }

    fn add(&mut self, is_secret: bool, evaluate: impl FnOnce(&dyn Scope) -> Option<String>) {
        let conf = self.conf;
        let view = self.view.get_or_insert_with(|| JobScope {
            conf: Arc::new(conf.clone()),
            ..JobScope::default()
        });
        let value = evaluate(&NodeScope {
            view,
            node: "",
            origin: Origin::default(),
            access: &Access::default(),
        });
        // A text that cannot be evaluated yet is not shown either.
        let Some(value) = value else { return };
        if is_secret {
            self.all.add(&value);
        } else if holds_secret(&value) {
            self.all.extend(&Secrets::of([("", value.as_str())]));
        }
    }
}

/// Whether a text may contain a secret, judging by its form.
fn may_hold(source: &str) -> bool {
    source.contains("://")
        || source.contains("jdbc:")
        || source.split(['=', ' ', ':']).any(is_secret_name)
}
