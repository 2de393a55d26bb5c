//! `hpdl-extension.json`: what an extension defines, written from its code. `check` reads it and nothing else of the extension.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    diagnostics::Sink,
    driver::{
        mistakes::invalid_extension::{EntryFault, InvalidExtension},
        settings::DeclaredExtension,
    },
    lower::schema::{is_own_namespace, is_taken, split_namespace},
    model::extension::{ExpressionFunction, Extension},
    rust,
    source::{FileId, Span},
};

/// The version of the format that this compiler reads.
const FORMAT: u64 = 1;

/// The extension that a manifest describes. `None` if it is not valid, which has been reported.
pub fn read(
    declared: &DeclaredExtension,
    (file, text): (FileId, &str),
    sink: &mut Sink,
) -> Option<Extension> {
    let place = |start: usize, end: usize| {
        let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span::new(file, offset(start), offset(end))
    };
    let mistake = |error: &serde_json::Error| {
        let at = offset_of(text, error.line(), error.column());
        let message = error.to_string();
        let end = message.rfind(" at line ").unwrap_or(message.len());
        InvalidExtension::Notation {
            place: place(at, at),
            message: message[..end].to_owned(),
        }
    };
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            sink.emit(mistake(&error));
            return None;
        }
    };
    if let Some(format) = value.get("format")
        && format.as_u64() != Some(FORMAT)
    {
        let at = text.find("\"format\"").unwrap_or(0);
        sink.emit(InvalidExtension::Format {
            place: place(at, (at + "\"format\"".len()).min(text.len())),
            found: format.to_string(),
        });
        return None;
    }
    let extension: Extension = match serde_json::from_str(text) {
        Ok(extension) => extension,
        Err(error) => {
            sink.emit(mistake(&error));
            return None;
        }
    };
    let faults = faults(&extension, declared);
    for (name, fault) in &faults {
        let quoted = serde_json::to_string(name).unwrap_or_default();
        let at = match fault {
            EntryFault::Twice(_) => text.rfind(&quoted),
            _ => text.find(&quoted),
        };
        let place = match at {
            Some(at) => place(at, at + quoted.len()),
            // Written with escapes.
            None => place(0, 0),
        };
        sink.emit(InvalidExtension::Entry {
            name: name.clone(),
            place,
            fault: *fault,
        });
    }
    faults.is_empty().then_some(extension)
}

/// The offset of a line and a column, both from 1, in bytes.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let at = lines.map(str::len).sum::<usize>() + column.saturating_sub(1);
    text.floor_char_boundary(at)
}

/// The names in a manifest that are not valid, each with what is wrong.
fn faults(extension: &Extension, declared: &DeclaredExtension) -> Vec<(String, EntryFault)> {
    let mut faults = Vec::new();
    if extension.name != declared.name {
        faults.push((extension.name.clone(), EntryFault::OtherName));
    }
    let mut names = BTreeSet::new();
    let mut namespaces = BTreeSet::new();
    for r#type in &extension.types {
        let element = &r#type.element;
        if !is_element_name(element) {
            faults.push((element.clone(), EntryFault::Element));
        } else if is_taken(element) {
            faults.push((element.clone(), EntryFault::TakenElement));
        } else if !names.insert(element) {
            faults.push((element.clone(), EntryFault::Twice("type")));
        }
        let namespace = &r#type.namespace;
        if is_own_namespace(namespace) {
            faults.push((namespace.clone(), EntryFault::TakenNamespace));
        } else if split_namespace(namespace).is_none_or(|(prefix, _)| prefix.len() < 2) {
            faults.push((namespace.clone(), EntryFault::Namespace));
        } else if !namespaces.insert(namespace) {
            faults.push((namespace.clone(), EntryFault::Twice("namespace")));
        }
        let mut inner = BTreeSet::new();
        for element in &r#type.elements {
            if !is_element_name(&element.name) {
                faults.push((element.name.clone(), EntryFault::Element));
            } else if !inner.insert(&element.name) {
                faults.push((element.name.clone(), EntryFault::Twice("element")));
            }
        }
    }
    for action in &extension.actions {
        if syn::parse_str::<syn::Ident>(&action.name).is_err() {
            faults.push((action.name.clone(), EntryFault::Function));
        } else if !names.insert(&action.name) {
            faults.push((action.name.clone(), EntryFault::Twice("function")));
        }
    }
    let mut functions = BTreeSet::new();
    for function in &extension.functions {
        if !rust::is_own_prefix(&function.prefix) {
            faults.push((function.prefix.clone(), EntryFault::Prefix));
        } else if syn::parse_str::<syn::Ident>(&function.name).is_err() {
            faults.push((function.name.clone(), EntryFault::Function));
        } else if !functions.insert(&function.name) {
            faults.push((function.name.clone(), EntryFault::Twice("function")));
        }
    }
    faults
}

/// Whether it is the name of an XML element without a prefix, in ASCII.
fn is_element_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        && !name.to_ascii_lowercase().starts_with("xml")
}

/// The name of what `extension` has in common with another one of `others`: elements, namespaces, and functions of expressions are
/// theirs alone.
pub fn shared<'e>(
    extension: &Extension,
    others: &'e [Extension],
) -> Option<(String, &'e Extension)> {
    let functions = extension.functions.iter();
    let mut functions = functions.map(ExpressionFunction::full_name);
    let shared = functions.find_map(|own| {
        let has = |other: &Extension| other.functions.iter().any(|it| it.full_name() == own);
        let other = others.iter().find(|&other| has(other))?;
        Some((own, other))
    });
    if shared.is_some() {
        return shared;
    }
    extension.types.iter().find_map(|own| {
        let of_other = |other: &Extension| {
            let mut types = other.types.iter();
            types.find_map(|it| {
                if it.element == own.element {
                    Some(own.element.clone())
                } else {
                    (it.namespace == own.namespace).then(|| own.namespace.clone())
                }
            })
        };
        let mut others = others.iter();
        others.find_map(|other| Some((of_other(other)?, other)))
    })
}
