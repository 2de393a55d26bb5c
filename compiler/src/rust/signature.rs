//! The function's head: its name, its arguments as parameters of the workflow, and the settings of the attribute.

use proc_macro2::TokenStream;
use syn::{
    Attribute, Expr, FnArg, Ident, ItemFn, Lit, LitStr, Pat, Token, Type as RustType,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

use crate::rust::{
    document::{Element, Text},
    place::Place,
    reader::Reader,
    scope::Binding,
    tokens::without_raw,
    value::Type,
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

/// The settings of `#[workflow(…)]`.
#[derive(Default)]
pub struct Settings {
    /// The folder of the application's files, below the package.
    pub files: Option<LitStr>,
    /// A file of default properties, below the package.
    pub config: Option<LitStr>,
    name: Option<LitStr>,
    name_node: Option<LitStr>,
    resource_manager: Option<LitStr>,
}

struct Setting {
    name: Ident,
    value: LitStr,
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Setting> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Setting {
            name,
            value: input.parse()?,
        })
    }
}

impl Reader {
    /// The settings of the attribute.
    pub(super) fn settings(&mut self, arguments: TokenStream) -> Settings {
        let mut settings = Settings::default();
        let parse = Punctuated::<Setting, Token![,]>::parse_terminated;
        let given = match parse.parse2(arguments) {
            Ok(given) => given,
            Err(error) => {
                self.mistake(
                    Place::at(error.span()),
                    "the settings of a workflow are written `#[workflow(files = \"scripts\", name_node = \"hdfs://nn\")]`",
                );
                return settings;
            }
        };
        for Setting { name, value } in given {
            let place = match name.to_string().as_str() {
                "files" => &mut settings.files,
                "config" => &mut settings.config,
                "name" => &mut settings.name,
                "name_node" => &mut settings.name_node,
                "resource_manager" => &mut settings.resource_manager,
                _ => {
                    self.mistake(
                        Place::at(name.span()),
                        "a workflow has the settings `files`, `config`, `name`, `name_node` and `resource_manager`",
                    );
                    continue;
                }
            };
            *place = Some(value);
        }
        settings
    }

    /// The arguments, each bound to a property.
    pub(super) fn parameters(&mut self, item: &ItemFn) -> (Vec<Parameter>, Option<Element>) {
        let mut parameters = Vec::new();
        let mut declared = Vec::new();
        for input in &item.sig.inputs {
            let FnArg::Typed(typed) = input else {
                self.mistake(Place::of(input), "a workflow is a function without `self`");
                continue;
            };
            let Pat::Ident(pattern) = &*typed.pat else {
                self.mistake(
                    Place::of(&typed.pat),
                    "an argument of a workflow is a property of its jobs, with one name",
                );
                continue;
            };
            let Some(of) = type_of(&typed.ty) else {
                self.mistake(
                    Place::of(&typed.ty),
                    "a property is a `String`, a `bool` or a number",
                );
                self.scopes
                    .bind(without_raw(&pattern.ident), Binding::Unknown);
                continue;
            };
            let mut property = without_raw(&pattern.ident);
            let mut default = None;
            for attribute in &typed.attrs {
                if attribute.path().is_ident("default") {
                    default = self.default(attribute);
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
            let mut parameters = Element::new("parameters", Some(Place::of(&item.sig.inputs)));
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
        if !signature.generics.params.is_empty() {
            self.mistake(
                Place::of(&signature.generics),
                "a workflow is compiled once, for no types but its own: it has no generics",
            );
        }
    }
}

impl Settings {
    /// The root element of the document of the workflow `function`.
    pub(super) fn root(&self, function: &Ident, parameters: Option<Element>) -> Element {
        let name = match &self.name {
            Some(name) => Text::literal(name.value(), Some(Place::of(name))),
            None => Text::literal(
                without_raw(function).replace('_', "-"),
                Some(Place::of(function)),
            ),
        };
        let mut root = Element::new("workflow-app", None)
            .attribute("name", name)
            .attribute("xmlns", Text::literal("uri:oozie:workflow:1.0", None));
        root.children.extend(parameters);
        let cluster = [
            ("resource-manager", &self.resource_manager),
            ("name-node", &self.name_node),
        ];
        let mut global = Element::new("global", None);
        for (element, value) in cluster {
            if let Some(value) = value {
                let place = Place::of(value);
                let text = Text::verbatim(value.value(), place);
                global.children.push(Element::of(element, text, place));
            }
        }
        if !global.children.is_empty() {
            root.children.push(global);
        }
        root
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
