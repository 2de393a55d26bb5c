//! Action nodes, of all types in the same way.

mod body;
#[cfg(test)]
mod tests;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use self::body::BodyWriter;
use crate::{
    analysis,
    codegen::{context::AppCx, functions::Owner, names, template},
    model::{Action, ActionKind, action::Retry},
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

/// The types that need a part of the runtime.
const PARTS: &[(&str, Part)] = &[("email", Part::Mail), ("http", Part::Requests)];

/// The part of the runtime that an action needs.
pub(super) fn part(kind: &ActionKind) -> Option<Part> {
    if kind
        .sub_workflow()
        .is_some_and(|child| child.host_url.is_some())
    {
        return Some(Part::Requests);
    }
    let part = PARTS.iter().find(|(name, _)| *name == kind.name());
    part.map(|(_, part)| *part)
}

/// Variants of `Body` that refer to their struct.
const BY_REFERENCE: &[&str] = &["Email", "Git", "Hive2", "Spark"];

/// The `Body::...(...)` of the table.
fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, kind: &ActionKind) -> TokenStream {
    let Some(body) = kind.body() else {
        // An application with such an action has an error and is not built; where its table is made nevertheless, the executor
        // registry knows no such type.
        let name = kind.name();
        return quote!(Body::Custom(Custom { type_name: #name, ..Custom::EMPTY }));
    };
    let variant = names::ident(body.name());
    let reference = BY_REFERENCE.contains(&body.name()).then(|| quote!(&));
    let body = BodyWriter { cx, owner }.struct_expr(body);
    quote!(Body::#variant(#reference #body))
}

fn retry_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, retry: &Retry) -> TokenStream {
    let Retry {
        max,
        interval,
        policy,
    } = retry;
    let mut fields = StructExpr::of("Retry");
    for (path, field, template) in [
        ("retry max", "max", max),
        ("retry interval", "interval", interval),
        ("retry policy", "policy", policy),
    ] {
        let template = template.as_ref().map(|template| {
            let template = template::expr(cx, owner, format_args!("{path}"), template);
            quote!(Some(#template))
        });
        fields.push_optional(field, template.as_ref());
    }
    fields.expr()
}

/// A struct of the table, of which only what is written has a field; the others are those of its `EMPTY`.
///
/// Most elements of the schema are missing in most actions, and each field costs rustc time in each node.
struct StructExpr {
    name: Ident,
    fields: Vec<TokenStream>,
    is_complete: bool,
}

impl StructExpr {
    fn of(name: &str) -> StructExpr {
        StructExpr {
            name: names::ident(name),
            fields: Vec::new(),
            is_complete: true,
        }
    }

    fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// A field that is that of `EMPTY` where it has no value.
    fn push_optional(&mut self, field: &str, value: Option<&TokenStream>) {
        match value {
            Some(value) => {
                let field = names::ident(field);
                self.fields.push(quote!(#field: #value));
            }
            None => self.is_complete = false,
        }
    }

    fn expr(self) -> TokenStream {
        let StructExpr {
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
