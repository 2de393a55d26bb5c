//! Service levels as the fields of `Sla { … }` or the arguments of `#[sla(…)]`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Refusal, names, texts::number};
use crate::{
    rust::sla::{FIELDS, NAMESPACE},
    syntax::xml::Element,
};

/// The names and the values of the fields; `text` writes texts.
fn fields(
    info: &Element<'_>,
    text: impl Fn(&str) -> TokenStream,
    place: &str,
) -> Result<Vec<(Ident, TokenStream)>, Refusal> {
    let refusal =
        |element: &Element<'_>, cause: String| Refusal::new(element.name_span, cause, place);
    if info.name.namespace() != Some(NAMESPACE) {
        let cause =
            format!("a service level that is not of `{NAMESPACE}` cannot be written in Rust");
        return Err(refusal(info, cause));
    }
    let mut fields = Vec::new();
    for child in info.elements() {
        let name = child.name.local;
        let Some(field) = FIELDS.iter().find(|field| field.local_name() == name) else {
            let cause = format!("`{name}` of a service level cannot be written in Rust");
            return Err(refusal(&child, cause));
        };
        let given = child.trimmed_text();
        let given = given.as_str();
        let value = match number(given) {
            _ if !field.is_duration => text(given),
            Some(minutes) => quote!(minutes(#minutes)),
            None => quote!(el!(#given)),
        };
        fields.push((names::method(field.name), value));
    }
    Ok(fields)
}

/// `.sla(…)` takes this.
pub(super) fn value(
    info: &Element<'_>,
    text: impl Fn(&str) -> TokenStream,
    place: &str,
) -> Result<TokenStream, Refusal> {
    let fields = fields(info, text, place)?;
    let rest = (fields.len() < FIELDS.len()).then(|| quote!(..Sla::default()));
    let fields = fields.iter().map(|(name, value)| quote!(#name: #value));
    Ok(quote!(Sla { #(#fields,)* #rest }))
}

/// The attribute of a workflow.
pub(super) fn attribute(info: &Element<'_>) -> Result<TokenStream, Refusal> {
    // A string stands for itself in an attribute.
    let fields = fields(info, |text| quote!(#text), "the workflow")?;
    let fields = fields.iter().map(|(name, value)| quote!(#name = #value));
    Ok(quote!(#[sla(#(#fields),*)]))
}
