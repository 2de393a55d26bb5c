//! Actions of a type that the program or an extension has: a struct literal, whose fields are the elements of the action.
//!
//! The schema of the type is not known here. The field's own name stands for its element, and rustc checks that the fields are there and
//! have values of their types.

use quote::ToTokens;
use syn::{Expr, ExprStruct, Member, spanned::Spanned};

use crate::rust::{
    body::Draft,
    call::own_body,
    document::{Element, Text},
    outlines::DataType,
    place::Place,
    reader::Reader,
    tokens::{is_macro, is_named, without_raw},
};

/// What a field says.
pub(super) enum Given<'e> {
    /// Nothing: `None`, `Vec::new()`.
    Absent,
    One(&'e Expr),
    /// The value in `Some(…)`.
    Some(&'e Expr),
    /// The values of `vec![…]`.
    Many(Vec<Expr>),
}

impl Reader {
    pub(super) fn own_type(&mut self, given: &ExprStruct) -> Option<Draft> {
        let place = Place::of(&given.path);
        if let Some(rest) = &given.rest {
            self.mistake(
                Place::at(rest.span()),
                "the fields of an action are all written out: the workflow is read when it is compiled, and the rest is not known then",
            );
            return None;
        }
        let (mut body, name) = own_body(self, &given.path, Place::of(given), place);
        let mut is_whole = true;
        for field in &given.fields {
            let Member::Named(member) = &field.member else {
                return self.left_to_rustc();
            };
            let element = without_raw(member);
            let values = match given_by(&field.expr) {
                Ok(Given::Absent) => continue,
                Ok(Given::One(value) | Given::Some(value)) => vec![value.clone()],
                Ok(Given::Many(values)) => values,
                Err(error) => {
                    self.mistake(Place::at(error.span()), &error.to_string());
                    is_whole = false;
                    continue;
                }
            };
            for value in &values {
                let place = Place::of_expr(value);
                match self.element_value(value) {
                    Some(text) => {
                        let mut argument = Text::literal(format!("{element}="), Some(place));
                        argument.append(text);
                        body = body.child(Element::of("argument", argument, place));
                    }
                    None => is_whole = false,
                }
            }
        }
        is_whole.then(|| {
            let mut draft = Draft::new(None, body, kebab(&name));
            draft.data_type = Some(DataType::OfAction(given.path.to_token_stream()));
            draft
        })
    }

    /// The text of a value. A duration is a whole number of seconds.
    fn element_value(&mut self, value: &Expr) -> Option<Text> {
        let units = ["seconds", "minutes", "hours", "days"];
        let is_duration = matches!(value, Expr::Call(call) if units.iter().any(|unit| is_named(&call.func, unit)));
        if is_duration {
            let mut text = self.seconds(value)?;
            text.push_literal("s", None);
            return Some(text);
        }
        Some(self.value(value)?.into_text())
    }
}

/// What a field says, by its form.
///
/// # Errors
///
/// It is a list of another form.
pub(super) fn given_by(value: &Expr) -> syn::Result<Given<'_>> {
    match value {
        Expr::Paren(inner) => given_by(&inner.expr),
        Expr::Group(inner) => given_by(&inner.expr),
        Expr::Path(path) if path.path.is_ident("None") => Ok(Given::Absent),
        Expr::Call(call) if is_named(&call.func, "Some") && call.args.len() == 1 => {
            Ok(Given::Some(&call.args[0]))
        }
        Expr::Call(call) if call.args.is_empty() && is_new_list(&call.func) => Ok(Given::Absent),
        Expr::Macro(call) if is_macro(value, "vec") => {
            type List = syn::punctuated::Punctuated<Expr, syn::Token![,]>;
            let values = call.mac.parse_body_with(List::parse_terminated);
            let values = values.map_err(|error| {
                let problem = "a list is written value by value: `vec![a, b]`";
                syn::Error::new(error.span(), problem)
            })?;
            Ok(Given::Many(values.into_iter().collect()))
        }
        Expr::Array(_) => {
            let problem = "a list is written as `vec![...]`";
            Err(syn::Error::new(value.span(), problem))
        }
        value => Ok(Given::One(value)),
    }
}

/// Whether a function is `Vec::new`.
fn is_new_list(function: &Expr) -> bool {
    let Expr::Path(path) = function else {
        return false;
    };
    let mut names = path.path.segments.iter().rev().map(|it| &it.ident);
    names.next().is_some_and(|it| it == "new") && names.next().is_some_and(|it| it == "Vec")
}

/// `WarehouseQuery` as `warehouse-query`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    let mut before = '-';
    for c in name.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            kebab.push('-');
        }
        kebab.extend(c.to_lowercase());
        before = c;
    }
    kebab
}
