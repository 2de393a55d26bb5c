//! The summary of an item, for the manifest of an extension.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The first paragraph of a documentation comment, on one line.
pub(crate) fn of(attributes: &[Attribute]) -> String {
    let mut words = Vec::new();
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) if pair.path.is_ident("doc") => Some(text.value()),
            _ => None,
        }
    });
    for text in lines {
        for line in text.lines() {
            if line.trim().is_empty() && !words.is_empty() {
                return words.join(" ");
            }
            words.extend(line.split_whitespace().map(str::to_owned));
        }
        if text.trim().is_empty() && !words.is_empty() {
            break;
        }
    }
    words.join(" ")
}
