//! Rust names for names of the document.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use syn::Lifetime;

use crate::rust::builders::BUILDERS;

/// What a file of a workflow uses besides action types.
const USED: [&str; 9] = [
    "el", "fail", "fork", "hcat", "kill", "minutes", "result", "wf", "workflow",
];

/// The names that have been given.
#[derive(Debug, Default)]
pub(super) struct Names {
    arguments: BTreeSet<String>,
    labels: BTreeSet<String>,
}

impl Names {
    /// The name of the function of a workflow.
    pub(super) fn function(&self, name: &str) -> Ident {
        let mut name = snake(name);
        if is_used(&name) {
            name.push_str("_workflow");
        }
        Ident::new(&name, Span::call_site())
    }

    /// The name of an argument that no other has.
    pub(super) fn argument(&mut self, property: &str) -> Ident {
        let mut stem = snake(property);
        if is_used(&stem) {
            stem.push_str("_value");
        }
        Ident::new(&free(&mut self.arguments, &stem), Span::call_site())
    }

    /// The label of the block that ends before a node.
    pub(super) fn label(&mut self, node: &str) -> Lifetime {
        let name = free(&mut self.labels, &snake(node));
        Lifetime::new(&format!("'{name}"), Span::call_site())
    }
}

/// The name of a method for an element.
pub(super) fn method(element: &str) -> Ident {
    Ident::new(&snake(element), Span::call_site())
}

fn is_used(name: &str) -> bool {
    USED.contains(&name) || BUILDERS.iter().any(|builder| builder.function == name)
}

fn free(taken: &mut BTreeSet<String>, stem: &str) -> String {
    let mut name = stem.to_owned();
    let mut n = 2;
    while !taken.insert(name.clone()) {
        name = format!("{stem}_{n}");
        n += 1;
    }
    name
}

/// Words in lower case with `_` between them: an identifier of Rust that is no keyword.
fn snake(name: &str) -> String {
    let mut words = String::new();
    let mut before = None;
    for c in name.chars() {
        let is_start = c.is_ascii_uppercase()
            && before.is_some_and(|it: char| it.is_ascii_lowercase() || it.is_ascii_digit());
        let is_gap = !c.is_ascii_alphanumeric();
        if (is_start || is_gap) && !words.is_empty() && !words.ends_with('_') {
            words.push('_');
        }
        if !is_gap {
            words.push(c.to_ascii_lowercase());
        }
        before = Some(c);
    }
    let trimmed = words.trim_end_matches('_').len();
    words.truncate(trimmed);
    if words.is_empty() || words.starts_with(|c: char| c.is_ascii_digit()) {
        words.insert(0, 'n');
    }
    if syn::parse_str::<Ident>(&words).is_err() {
        words.push('_');
    }
    words
}
