use std::collections::BTreeSet;

use syn::{Ident, LitStr, Token, parse::ParseStream, parse::Parser, punctuated::Punctuated};

use super::*;
use crate::rust::tests::of_crate_of_workflows;

/// What a workflow in Rust does not write, because nothing reads it.
const UNREAD: &[&str] = &["configuration/property/description"];

/// The path of an element or an attribute in a body.
fn path(parent: Option<&str>, name: &str) -> String {
    match parent {
        Some(parent) => format!("{parent}/{name}"),
        None => name.to_owned(),
    }
}

/// Everything that a body can have.
fn all_of(
    shape: &'static ElementShape,
    version: Version,
    at: Option<&str>,
    into: &mut BTreeSet<String>,
) {
    for are_required in [true, false] {
        for attribute in attributes(shape, version, are_required) {
            into.insert(format!("{}@{}", at.unwrap_or_default(), attribute.name));
        }
    }
    for member in members(shape, version) {
        let name = member.name().expect("bodies have elements with names");
        let path = path(at, name);
        all_of(member.shape, version, Some(&path), into);
        into.insert(path);
    }
}

/// What the functions and the methods of one element write.
fn written(element: &str) -> BTreeSet<String> {
    let mut written = BTreeSet::new();
    for builder in BUILDERS.iter().filter(|it| it.element == element) {
        written.extend(builder.arguments.iter().map(|it| (*it).to_owned()));
        if builder.captures() {
            written.insert(CAPTURE.to_owned());
        }
        for Method { parent, writes, .. } in builder.methods() {
            written.extend(parent.map(str::to_owned));
            match writes {
                Writes::Text(name) | Writes::Flag(name) | Writes::Pair(name) => {
                    written.insert(path(*parent, name));
                }
                Writes::Property => written.extend(
                    ["", "/property", "/property/name", "/property/value"]
                        .map(|below| format!("configuration{below}")),
                ),
                Writes::Named(names) => {
                    written.extend(names.iter().map(|name| path(*parent, name)));
                }
                Writes::Operation(name, attributes) => {
                    let path = path(*parent, name);
                    written.extend(attributes.iter().map(|it| format!("{path}@{it}")));
                    written.insert(path);
                }
                Writes::Part(part, operations) => {
                    written.extend(operations.iter().map(|operation| {
                        let path = path(*parent, operation);
                        match part {
                            Part::Attribute(name) | Part::Yes(name) => format!("{path}@{name}"),
                            Part::Flag(name) => format!("{path}/{name}"),
                        }
                    }));
                }
            }
        }
    }
    written
}

#[test]
fn whatever_the_schemas_have_can_be_written() {
    for builder in BUILDERS {
        let (shape, version) = builder.shape().expect("the schemas have it");
        let mut all = BTreeSet::new();
        all_of(shape, version, None, &mut all);
        assert!(!all.is_empty(), "{}", builder.element);
        all.retain(|path| !UNREAD.contains(&&**path));
        assert_eq!(written(builder.element), all, "{}", builder.element);
    }
}

/// A line for each function, and for each method of the type that it gives.
fn declared(function: &str, arguments: usize, given: &str) -> String {
    format!("{function}({arguments}) -> {given}")
}

/// `function(arguments) -> Type`, without what is behind it.
fn head(input: ParseStream<'_>) -> syn::Result<(Ident, usize, Ident)> {
    input.call(syn::Attribute::parse_outer)?;
    let function = input.parse()?;
    let n_arguments = arguments(input)?;
    input.parse::<Token![->]>()?;
    Ok((function, n_arguments, input.parse()?))
}

fn arguments(input: ParseStream<'_>) -> syn::Result<usize> {
    let arguments;
    syn::parenthesized!(arguments in input);
    let arguments = Punctuated::<Ident, Token![,]>::parse_terminated(&arguments)?;
    Ok(arguments.len())
}

/// The functions of the crate of workflows, and the methods of the types that they give.
fn of_the_crate() -> (BTreeSet<String>, Vec<(String, BTreeSet<String>)>) {
    let file = of_crate_of_workflows("builders.rs");
    let mut functions = BTreeSet::new();
    let mut types = Vec::new();
    for item in file.items {
        let syn::Item::Macro(item) = item else {
            continue;
        };
        let one_type = |input: ParseStream<'_>| {
            let (function, n_arguments, of) = head(input)?;
            functions.insert(declared(
                &function.to_string(),
                n_arguments,
                &of.to_string(),
            ));
            let inner;
            syn::braced!(inner in input);
            let mut methods = BTreeSet::new();
            while !inner.is_empty() {
                let element: LitStr = inner.parse()?;
                inner.parse::<Token![:]>()?;
                let method: Ident = inner.parse()?;
                let n_arguments = arguments(&inner)?;
                inner.parse::<Token![;]>()?;
                methods.insert(declared(&method.to_string(), n_arguments, &element.value()));
            }
            types.push((function.to_string(), methods));
            Ok(())
        };
        if item.mac.path.is_ident("action_type") {
            one_type
                .parse2(item.mac.tokens)
                .expect("it declares a type");
        } else if item.mac.path.is_ident("other_beginnings") {
            let all = |input: ParseStream<'_>| {
                while !input.is_empty() {
                    let (function, n_arguments, of) = head(input)?;
                    input.parse::<Token![;]>()?;
                    functions.insert(declared(
                        &function.to_string(),
                        n_arguments,
                        &of.to_string(),
                    ));
                }
                Ok(())
            };
            all.parse2(item.mac.tokens).expect("it declares functions");
        }
    }
    (functions, types)
}

#[test]
fn the_crate_of_workflows_has_the_same_functions_and_methods() {
    let (functions, types) = of_the_crate();
    let type_of = |element: &str| -> String {
        let words = element.split('-').map(|word| {
            let (first, rest) = word.split_at(1);
            first.to_uppercase() + rest
        });
        words.collect()
    };
    let expected: BTreeSet<String> = BUILDERS
        .iter()
        .map(|it| declared(it.function, it.arguments.len(), &type_of(it.element)))
        .collect();
    assert_eq!(functions, expected);
    for (function, methods) in types {
        let builder = Builder::named(&function).expect("it is the same list");
        let expected: BTreeSet<String> = builder
            .methods()
            .iter()
            .map(|method| {
                let element = match &method.writes {
                    Writes::Text(name)
                    | Writes::Flag(name)
                    | Writes::Pair(name)
                    | Writes::Operation(name, _) => path(method.parent, name),
                    Writes::Part(Part::Attribute(name) | Part::Yes(name) | Part::Flag(name), _) => {
                        (*name).to_owned()
                    }
                    Writes::Property => "configuration/property".to_owned(),
                    Writes::Named(_) => "launcher".to_owned(),
                };
                declared(&method.name, method.writes.n_arguments(), &element)
            })
            .collect();
        assert_eq!(methods, expected, "{function}");
    }
}
