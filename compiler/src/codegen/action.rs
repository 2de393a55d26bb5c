//! Action nodes: what every type has in common; the bodies are one file a type.

mod distcp;
mod email;
mod fs;
mod git;
mod hive;
mod hive2;
mod http;
mod java;
mod map_reduce;
mod pig;
mod pig_host;
#[cfg(test)]
mod probe;
mod shell;
mod spark;
mod sqoop;
mod ssh;
mod sub_workflow;
#[cfg(test)]
mod tests;
mod tool;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::{
    analysis,
    codegen::{
        context::AppCx,
        functions::Owner,
        names,
        template::{self, ElementTexts},
    },
    model::{
        Action, ActionKind, Property, Template,
        action::{self, HadoopSettings, Prepare, PrepareOperation, Retry},
    },
};

/// The `Action { ... }` of the table.
pub(crate) fn action_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, action: &Action) -> TokenStream {
    let retry = retry_expr(cx, owner, &action.retry);
    let app = cx.app;
    cx.credentials = analysis::wanted_credentials(app, action)
        .into_iter()
        .flat_map(|credential| &credential.properties)
        .collect();
    let body = body_expr(cx, owner, &action.kind);
    quote!(Action { retry: #retry, body: #body })
}

/// A part of the runtime that `main` links where something needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Mail,
    Requests,
}

/// How an action type is in the table of the runtime.
trait ActionStatic {
    /// The names that its static takes from the table, beside those of [`imports`](super::imports).
    const TABLE: &'static [&'static str];

    /// The part of the runtime that it needs.
    const PART: Option<Part> = None;

    /// The `Body::...(...)` of the table.
    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream;
}

/// The registry of action types, a line each.
macro_rules! action_types {
    ($($(#[$attribute:meta])* $name:ident($body:ty)),* $(,)?) => {
        /// The names that statics of actions take from the table, by type.
        const TABLES: &[&[&str]] = &[$($(#[$attribute])* <$body>::TABLE,)*];

        /// The part of the runtime that an action needs.
        pub(super) fn part(kind: &ActionKind) -> Option<Part> {
            match kind {
                $($(#[$attribute])* ActionKind::$name(_) => <$body>::PART,)*
                ActionKind::Unknown(_) => None,
            }
        }

        fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, kind: &ActionKind) -> TokenStream {
            match kind {
                $($(#[$attribute])* ActionKind::$name(body) => body.body_expr(cx, owner),)*
                // An application with such an action has an error and is not built; where its table is made nevertheless,
                // the executor registry knows no such type.
                ActionKind::Unknown(name) => {
                    quote!(Body::Custom(Custom { type_name: #name, settings: Settings::EMPTY, fields: &[] }))
                }
            }
        }
    };
}

action_types! {
    Distcp(action::Distcp),
    Email(action::Email),
    Fs(action::Fs),
    Git(action::Git),
    Hive(action::Hive),
    Hive2(action::Hive2),
    Http(action::Http),
    Java(action::Java),
    MapReduce(action::MapReduce),
    Pig(action::Pig),
    #[cfg(test)]
    Probe(action::probe::Probe),
    Shell(action::Shell),
    Spark(action::Spark),
    Sqoop(action::Sqoop),
    Ssh(action::Ssh),
    SubWorkflow(action::SubWorkflow),
}

/// The names that statics of actions take from the table.
pub(crate) fn table_names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().copied().flatten().copied()
}

fn retry_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, retry: &Retry) -> TokenStream {
    let Retry {
        max,
        interval,
        policy,
    } = retry;
    let mut fields = Fields::of("Retry");
    fields.optional(cx, owner, "retry max", "max", max.as_ref());
    fields.optional(cx, owner, "retry interval", "interval", interval.as_ref());
    fields.optional(cx, owner, "retry policy", "policy", policy.as_ref());
    fields.expr()
}

/// What each type has besides the settings that all share: elements that hold nothing but a text.
type Elements<'a> = &'a [(&'static str, &'a [Template])];

/// The field `settings` of a body.
fn push_settings(
    fields: &mut Fields,
    cx: &mut AppCx<'_>,
    owner: Owner<'_>,
    settings: &HadoopSettings,
    others: Elements<'_>,
) {
    let HadoopSettings {
        name_node,
        resource_manager,
        job_xml,
        configuration,
    } = settings;
    let shared: Elements<'_> = &[
        ("name-node", name_node.as_slice()),
        ("resource-manager", resource_manager.as_slice()),
        ("job-xml", job_xml),
    ];
    let mut elements = ElementTexts::default();
    for (name, templates) in shared.iter().chain(others) {
        let words = name.replace(['-', '/'], " ");
        for (number, template) in (1..).zip(*templates) {
            let is_alone = templates.len() == 1;
            let path = if is_alone {
                words.clone()
            } else {
                format!("{words} {number}")
            };
            elements.named(cx, owner, format_args!("{path}"), name, template);
        }
    }
    let mut inner = Fields::of("Settings");
    inner.push_unless(elements.is_empty(), "elements", || elements.expr());
    // What the action itself says overrides its credentials.
    let properties: Vec<&Property> = std::mem::take(&mut cx.credentials)
        .into_iter()
        .chain(&configuration.properties)
        .collect();
    inner.push_unless(properties.is_empty(), "configuration", || {
        template::properties(cx, owner, properties)
    });
    fields.push_unless(inner.is_empty(), "settings", || inner.expr());
}

/// The field `prepare` of a body.
fn push_prepare(fields: &mut Fields, cx: &mut AppCx<'_>, owner: Owner<'_>, prepare: &Prepare) {
    fields.push_unless(prepare.operations.is_empty(), "prepare", || {
        prepare_expr(cx, owner, prepare)
    });
}

/// A struct of the table, of which only what is written has a field; the others are those of its `EMPTY`.
///
/// Most elements of the schema are missing in most actions, and each field costs rustc time in each node.
struct Fields {
    name: Ident,
    fields: Vec<TokenStream>,
    is_complete: bool,
}

impl Fields {
    fn of(name: &str) -> Fields {
        Fields {
            name: names::ident(name),
            fields: Vec::new(),
            is_complete: true,
        }
    }

    fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    fn push(&mut self, field: &str, value: &TokenStream) {
        let field = names::ident(field);
        self.fields.push(quote!(#field: #value));
    }

    fn push_unless(&mut self, is_empty: bool, field: &str, value: impl FnOnce() -> TokenStream) {
        if is_empty {
            self.is_complete = false;
        } else {
            self.push(field, &value());
        }
    }

    /// `Some(...)`. `path` says in words which text it is.
    fn optional(
        &mut self,
        cx: &mut AppCx<'_>,
        owner: Owner<'_>,
        path: &str,
        field: &str,
        template: Option<&Template>,
    ) {
        self.push_unless(template.is_none(), field, || {
            template::optional(cx, owner, path, template)
        });
    }

    /// A field that is false in `EMPTY`.
    fn flag(&mut self, field: &str, is_set: bool) {
        self.push_unless(!is_set, field, || quote!(true));
    }

    fn expr(self) -> TokenStream {
        let Fields {
            name,
            fields,
            is_complete,
        } = self;
        if fields.is_empty() {
            quote!(#name::EMPTY)
        } else if is_complete {
            quote!(#name { #(#fields),* })
        } else {
            quote!(#name { #(#fields,)* ..#name::EMPTY })
        }
    }
}

fn prepare_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, prepare: &Prepare) -> TokenStream {
    let operations = (1..)
        .zip(&prepare.operations)
        .map(|(number, operation)| match operation {
            PrepareOperation::Delete(path) => {
                let path = template::expr(cx, owner, format_args!("prepare {number}"), path);
                quote!(PrepareOperation::Delete(#path))
            }
            PrepareOperation::Mkdir(path) => {
                let path = template::expr(cx, owner, format_args!("prepare {number}"), path);
                quote!(PrepareOperation::Mkdir(#path))
            }
        });
    let operations: Vec<_> = operations.collect();
    quote!(&[#(#operations),*])
}
