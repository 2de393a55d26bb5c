//! The function's head: its form, and its arguments as parameters of the workflow.

use syn::{
    Attribute, Expr, FnArg, GenericArgument, Ident, ItemFn, Lit, LitStr, Pat, PathArguments,
    ReturnType, Type as RustType,
};

use crate::rust::{
    document::{Element, Text},
    place::Place,
    reader::Reader,
    scope::Binding,
    tokens::without_raw,
    value::{Type, Value},
};

/// An argument of the workflow.
pub struct Parameter {
    pub name: Ident,
    /// The property of a job.
    pub property: String,
    pub rust_type: RustType,
    pub has_default: bool,
    pub docs: Vec<Attribute>,
}

impl Reader {
    /// The arguments, each bound to a property.
    pub(super) fn parameters<'i>(
        &mut self,
        inputs: impl IntoIterator<Item = &'i FnArg>,
    ) -> (Vec<Parameter>, Option<Element>) {
        let mut parameters = Vec::new();
        let mut declared = Vec::new();
        for input in inputs {
            let FnArg::Typed(typed) = input else {
                let message = format!("{} is a function without `self`", self.what());
                self.mistake(Place::of(input), &message);
                continue;
            };
            let Pat::Ident(pattern) = &*typed.pat else {
                self.mistake(
                    Place::of(&typed.pat),
                    &format!(
                        "an argument of {} is a property of its jobs, with one name",
                        self.what()
                    ),
                );
                continue;
            };
            let Some(of) = type_of(&typed.ty) else {
                if !self.type_parameters.iter().any(|it| is_type(&typed.ty, it)) {
                    self.mistake_of_rustc(
                        Place::of(&typed.ty),
                        "a property is a `String`, a `bool` or a number",
                    );
                }
                self.scopes
                    .bind(without_raw(&pattern.ident), Binding::Unknown);
                continue;
            };
            let mut property = without_raw(&pattern.ident);
            let mut default = None;
            for attribute in &typed.attrs {
                if attribute.path().is_ident("default") {
                    default = self.default(attribute);
                    let literal = default.as_ref().and_then(|(text, _)| text.as_literal());
                    let is_wrong = |it: String| !it.contains("${") && it.parse::<f64>().is_err();
                    if of == Type::Number && literal.is_some_and(is_wrong) {
                        self.mistake(
                            Place::of(attribute),
                            "the argument is a number, and its default is none: a default is written `#[default(3)]`",
                        );
                    }
                } else if attribute.path().is_ident("property") {
                    if let Ok(name) = attribute.parse_args::<LitStr>() {
                        property = name.value();
                    } else {
                        self.mistake(
                            Place::of(attribute),
                            "the name of a property is written `#[property(\"inputDir\")]`",
                        );
                    }
                }
            }
            let place = Place::of(&pattern.ident);
            if let Some(other) = parameters
                .iter()
                .find(|it: &&Parameter| it.property == property)
            {
                let message = format!(
                    "`{}` has the property `{property}` too: one of them is enough",
                    other.name
                );
                self.mistake(place, &message);
            }
            let mut element = Element::new("property", Some(Place::of(typed))).child(Element::of(
                "name",
                Text::literal(property.clone(), Some(place)),
                place,
            ));
            let has_default = default.is_some();
            if let Some((default, place)) = default {
                element = element.child(Element::of("value", default, place));
            }
            let description = documentation(&typed.attrs);
            if !description.is_empty() {
                let text = Text::literal(description, None);
                element = element.child(Element::of("description", text, place));
            }
            declared.push(element);
            self.scopes.bind(
                without_raw(&pattern.ident),
                Binding::Property {
                    property: property.clone(),
                    of,
                },
            );
            let r#type = (*typed.ty).clone();
            self.outlines.properties.insert(property.clone(), r#type);
            parameters.push(Parameter {
                name: pattern.ident.clone(),
                property,
                rust_type: (*typed.ty).clone(),
                has_default,
                docs: typed
                    .attrs
                    .iter()
                    .filter(|it| it.path().is_ident("doc"))
                    .cloned()
                    .collect(),
            });
        }
        let element = (!declared.is_empty()).then(|| {
            let mut parameters = Element::new("parameters", None);
            parameters.children = declared;
            parameters
        });
        (parameters, element)
    }

    fn default(&mut self, attribute: &Attribute) -> Option<(Text, Place)> {
        let place = Place::of(attribute);
        let value = match attribute.parse_args::<Expr>() {
            Ok(value) => value,
            Err(_) => {
                self.mistake(place, "a default is written `#[default(3)]`");
                return None;
            }
        };
        let literal = match &value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                Lit::Int(number) => Some(number.base10_digits().to_owned()),
                Lit::Float(number) => Some(number.base10_digits().to_owned()),
                Lit::Bool(value) => Some(value.value.to_string()),
                _ => None,
            },
            Expr::Unary(_) => self
                .value(&value)
                .and_then(|value| value.into_text().as_literal()),
            // Oozie evaluates defaults too.
            Expr::Macro(_) => {
                let place = Place::of(&value);
                let verbatim @ Value::Verbatim(..) = self.value(&value)? else {
                    self.mistake(place, "a default is a literal: `#[default(3)]`");
                    return None;
                };
                return Some((verbatim.into_text(), place));
            }
            _ => None,
        };
        match literal {
            Some(literal) => {
                let place = Place::of(&value);
                self.check_text(&literal, place)?;
                Some((Text::literal(literal, Some(place)), place))
            }
            None => {
                self.mistake(place, "a default is a literal: `#[default(3)]`");
                None
            }
        }
    }

    /// What the head of the function may be.
    pub(super) fn check_head(&mut self, item: &ItemFn) {
        let signature = &item.sig;
        if signature.asyncness.is_none() {
            self.mistake(
                Place::of(&signature.fn_token).to(Place::of(&signature.ident)),
                "a workflow is an `async fn`: its actions are awaited",
            );
        }
        if let Some(data) = data_of(&signature.output) {
            self.mistake_of_rustc(
                Place::of(data),
                "a workflow gives no data: it returns `Result`, and writes files or calls an action for what others need",
            );
        }
        self.check_generics(item);
    }

    pub(super) fn check_generics(&mut self, item: &ItemFn) {
        let generics = &item.sig.generics;
        self.type_parameters = generics.type_params().map(|it| it.ident.clone()).collect();
        if !generics.params.is_empty() {
            self.mistake_of_rustc(
                Place::of(generics),
                &format!(
                    "{} is compiled once, for no types but its own: it has no generics",
                    self.what()
                ),
            );
        }
    }
}

fn is_type(of: &RustType, name: &Ident) -> bool {
    match of {
        RustType::Reference(inner) => is_type(&inner.elem, name),
        RustType::Path(path) => path.path.is_ident(name),
        _ => false,
    }
}

/// The `T` of `-> Result<T>`, if it is not `()`.
fn data_of(output: &ReturnType) -> Option<&RustType> {
    let ReturnType::Type(_, output) = output else {
        return None;
    };
    let RustType::Path(path) = &**output else {
        return None;
    };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(RustType::Tuple(unit)) if unit.elems.is_empty() => None,
        GenericArgument::Type(data) => Some(data),
        _ => None,
    }
}

/// What a Rust type is in a workflow.
fn type_of(of: &RustType) -> Option<Type> {
    let RustType::Path(path) = of else {
        return None;
    };
    match path.path.segments.last()?.ident.to_string().as_str() {
        "String" => Some(Type::Text),
        "bool" => Some(Type::Bool),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" | "f32"
        | "f64" => Some(Type::Number),
        _ => None,
    }
}

fn documentation(attributes: &[Attribute]) -> String {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => Some(text.value().trim().to_owned()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
    lines.collect::<Vec<String>>().join(" ")
}
