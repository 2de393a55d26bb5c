//! The fields of an action type as its elements.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Field, FieldsNamed, Ident, LitStr, Meta, Type, ext::IdentExt, spanned::Spanned};

use super::names;
use crate::{kind, mistakes::Mistakes, summary};

/// A field, and the element that it is read from.
pub(super) struct Element<'f> {
    pub(super) field: &'f Ident,
    pub(super) name: String,
    /// The type of one value.
    pub(super) r#type: &'f Type,
    pub(super) occurs: Occurs,
    /// The kind of its values, as an expression.
    pub(super) kind: TokenStream,
    pub(super) summary: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurs {
    One,
    Optional,
    Repeated,
}

impl Element<'_> {
    /// The name that workflows written in Rust have for it.
    pub(super) fn field_name(&self) -> String {
        self.field.unraw().to_string()
    }
}

/// The elements in the order of the fields.
pub(super) fn read<'f>(mistakes: &mut Mistakes, fields: &'f FieldsNamed) -> Vec<Element<'f>> {
    let mut elements: Vec<Element<'f>> = Vec::new();
    for field in &fields.named {
        let Some(ident) = &field.ident else { continue };
        let Some((name, place)) = mistakes.of(name_of(field, ident)) else {
            continue;
        };
        if let Err(problem) = names::check_element(&name) {
            mistakes.push_at(place, problem);
            continue;
        }
        let (r#type, occurs) = single(&field.ty);
        if let Err(problem) = check(r#type, occurs) {
            mistakes.add(&field.ty, problem);
            continue;
        }
        let element = Element {
            field: ident,
            kind: kind::of(r#type),
            r#type,
            occurs,
            summary: summary::of(&field.attrs),
            name,
        };
        let same = elements.iter().find(|other| is_same(other, &element));
        if let Some(other) = same {
            let problem = format!(
                "`{}` is the name of two elements: it is that of the field `{}` too",
                element.name, other.field
            );
            mistakes.push_at(place, problem);
            continue;
        }
        elements.push(element);
    }
    elements
}

/// Whether a text may be meant for both: by the name of the element or that of the field.
fn is_same(one: &Element<'_>, other: &Element<'_>) -> bool {
    let (one_field, other_field) = (one.field_name(), other.field_name());
    one.name == other.name || one.name == other_field || one_field == other.name
}

/// The name of the element, and where it is written.
fn name_of(field: &Field, ident: &Ident) -> syn::Result<(String, proc_macro2::Span)> {
    let mut written = field
        .attrs
        .iter()
        .filter(|it| it.path().is_ident("element"));
    let Some(attribute) = written.next() else {
        let name = ident.unraw().to_string().replace('_', "-");
        return Ok((name, ident.span()));
    };
    if let Some(second) = written.next() {
        let problem = "the element has one name: this is said twice";
        return Err(syn::Error::new(second.path().span(), problem));
    }
    let name: LitStr = attribute.parse_args().map_err(|_| {
        let problem = "a field has one option, `#[element(\"name\")]`: the name of its element";
        let place = match &attribute.meta {
            Meta::List(list) => list.tokens.span(),
            meta => meta.span(),
        };
        syn::Error::new(place, problem)
    })?;
    Ok((name.value(), name.span()))
}

/// The type of one value, and how often it is there.
fn single(r#type: &Type) -> (&Type, Occurs) {
    if let Some(inner) = kind::inner_of(r#type, "Option") {
        return (inner, Occurs::Optional);
    }
    match kind::inner_of(r#type, "Vec") {
        Some(inner) => (inner, Occurs::Repeated),
        None => (r#type, Occurs::One),
    }
}

/// Whether an element can have values of the type, as far as its form says.
fn check(r#type: &Type, occurs: Occurs) -> Result<(), String> {
    let is_many = |it| kind::inner_of(r#type, it).is_some();
    match r#type {
        _ if occurs == Occurs::Optional && is_many("Vec") => {
            Err("a list may be empty: write `Vec` without `Option`".to_owned())
        }
        _ if is_many("Option") || is_many("Vec") => {
            Err("an element has one text: it is no list, and is there or not".to_owned())
        }
        Type::Reference(reference) => {
            let referred = &reference.elem;
            let owned = match quote!(#referred).to_string().as_str() {
                "str" => "String".to_owned(),
                "Path" => "PathBuf".to_owned(),
                other => other.replace(' ', ""),
            };
            Err(format!("an action type owns its elements: write `{owned}`"))
        }
        Type::Path(_) | Type::Macro(_) | Type::Paren(_) | Type::Group(_) => Ok(()),
        _ => Err(
            "an element has one text: a text, an address (`Uri`), a path, a number, a `bool`, a `Duration`, or an enum with `#[derive(Data)]`"
                .to_owned(),
        ),
    }
}
