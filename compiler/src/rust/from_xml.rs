//! The inverse of [`read`](super::read): the text of a Rust function that means the same workflow as a document.
//!
//! Every acyclic graph can be written with labelled blocks alone; where its structure allows it, the usual forms are written:
//! `?`, `if`, `match`, `fork!`. What workflows in Rust cannot say is refused, and nothing is left out but comments.

mod body;
mod graph;
mod methods;
mod names;
mod settings;
mod sla;
mod structure;
mod texts;

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span as RustSpan, TokenStream};
use quote::quote;

use self::{graph::Graph, names::Names, structure::Structure, texts::Texts};
use crate::{model::WorkflowApp, source::Span, syntax::xml::XmlDocument};

/// Something that workflows in Rust cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub place: Span,
    /// What it is, without the names of this document: for lists of causes.
    pub cause: String,
    pub message: String,
}

impl Refusal {
    fn new(place: Span, cause: impl Into<String>, where_it_is: &str) -> Refusal {
        let cause = cause.into();
        Refusal {
            place,
            message: format!("{where_it_is}: {cause}"),
            cause,
        }
    }
}

/// The stand-in for `fork!` while the text is formatted, which it is only as a call of a function.
const FORK: &str = "hpdlc_fork_of_branches";

/// The text of a Rust file with the workflow as its only function, and the `use` that it needs.
///
/// The document is one of the newest schema without mistakes, and `app` its model. `config` is the name of the file of default
/// properties beside it.
///
/// # Errors
///
/// The first part of the document that workflows in Rust cannot say.
pub fn from_xml(
    document: &XmlDocument<'_>,
    app: &WorkflowApp,
    config: Option<&str>,
) -> Result<String, Refusal> {
    let root = document.root();
    let mut names = Names::default();
    let function = names.function(app.name.text.as_str());
    let (arguments, texts) = parameters(app, &mut names)?;
    let graph = Graph::of(app)?;
    let mut structure = Structure::new(app, &root, &graph, &texts, &mut names);
    let statements = structure.function()?;
    let settings = settings::settings(&root, app, graph.fail, &function, config)?;
    let attributes = settings::attributes(&root)?;
    let used = structure.used;
    let item = quote! {
        #[workflow #settings]
        #(#attributes)*
        async fn #function(#(#arguments),*) -> Result {
            #(#statements)*
        }
    };
    Ok(formatted(&item, used))
}

/// The arguments of the function, and the texts that can name them.
fn parameters(app: &WorkflowApp, names: &mut Names) -> Result<(Vec<TokenStream>, Texts), Refusal> {
    let mut arguments = Vec::new();
    let mut texts = Texts::default();
    let mut seen = BTreeSet::new();
    for parameter in &app.parameters {
        let property = &parameter.name.value;
        if !seen.insert(property) {
            return Err(Refusal::new(
                parameter.name.span,
                "a parameter that is declared twice cannot be written in Rust",
                &format!("parameter `{property}`"),
            ));
        }
        let argument = names.argument(property);
        let docs = match parameter.description.as_deref() {
            None => None,
            Some("") => {
                return Err(Refusal::new(
                    parameter.name.span,
                    "an empty description cannot be written in Rust",
                    &format!("parameter `{property}`"),
                ));
            }
            // A comment of documentation begins with a blank. Those of several lines are read as one.
            Some(text) => {
                let lines = text.lines().map(|line| format!(" {}", line.trim()));
                Some(quote!(#(#[doc = #lines])*))
            }
        };
        let default = parameter.default.as_ref().map(|default| {
            let default = texts::verbatim(&default.value);
            quote!(#[default(#default)])
        });
        let renamed = (argument != property).then(|| quote!(#[property(#property)]));
        arguments.push(quote!(#docs #default #renamed #argument: String));
        texts.declare(property, argument);
    }
    Ok((arguments, texts))
}

fn formatted(item: &TokenStream, mut used: BTreeSet<&'static str>) -> String {
    used.extend(["Result", "workflow"]);
    let has = |name: &str| contains(item, name);
    for name in ["Sla", "el", "kill", "minutes"] {
        if has(name) {
            used.insert(name);
        }
    }
    if has(FORK) {
        used.insert("fork");
    }
    let used = used
        .into_iter()
        .map(|name| Ident::new(name, RustSpan::call_site()));
    let file = quote! {
        use hpdlc_flow::{#(#used),*};
        #item
    };
    let file: syn::File = syn::parse2(file).expect("what is written is Rust");
    let text = prettyplease::unparse(&file);
    let text = text.replace(&format!("{FORK}("), "fork!(");
    text.replacen("\n#[workflow", "\n\n#[workflow", 1)
}

/// Whether tokens have that identifier.
fn contains(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == name,
        proc_macro2::TokenTree::Group(group) => contains(&group.stream(), name),
        _ => false,
    })
}

#[cfg(test)]
mod tests;
