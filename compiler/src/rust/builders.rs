//! The built-in action types as workflow code writes them: a function, and a method for each element of the schema.

use std::{collections::BTreeMap, sync::OnceLock};

use crate::{
    lower::schema::{
        ACTION, AttributeRule, ContentModel, ElementShape, Member, SimpleType, Version, Vocabulary,
        WORKFLOW,
    },
    rust::tokens::without_raw,
};

/// A function that begins a built-in action.
#[derive(Debug)]
pub(super) struct Builder {
    /// The function in Rust.
    pub(super) function: &'static str,
    /// The element that its body is.
    pub(super) element: &'static str,
    /// The elements that the arguments of the function become.
    pub(super) arguments: &'static [&'static str],
}

const fn builder(
    function: &'static str,
    element: &'static str,
    arguments: &'static [&'static str],
) -> Builder {
    Builder {
        function,
        element,
        arguments,
    }
}

/// All built-in action types. The crate of workflows has a function of the same name and arguments for each.
pub(super) const BUILDERS: &[Builder] = &[
    builder("distcp", "distcp", &["arg", "arg"]),
    builder("email", "email", &["to"]),
    builder("fs", "fs", &[]),
    builder("git", "git", &["git-uri", "destination-uri"]),
    builder("hive", "hive", &["script"]),
    builder("hive_query", "hive", &["query"]),
    builder("hive2", "hive2", &["jdbc-url", "script"]),
    builder("hive2_query", "hive2", &["jdbc-url", "query"]),
    builder("java", "java", &["main-class"]),
    builder("map_reduce", "map-reduce", &[]),
    builder("pig", "pig", &["script"]),
    builder("shell", "shell", &["exec"]),
    builder("spark", "spark", &["jar"]),
    builder("sqoop", "sqoop", &["command"]),
    builder("sqoop_tool", "sqoop", &["arg"]),
    builder("ssh", "ssh", &["host", "command"]),
    builder("sub_workflow", "sub-workflow", &["app-path"]),
];

/// A method of a builder.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) name: String,
    /// The element of the body that holds what it writes, if it is not the body itself.
    pub(super) parent: Option<&'static str>,
    pub(super) writes: Writes,
}

/// What a method of a builder writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Writes {
    /// An element with a text.
    Text(&'static str),
    /// An element that says yes by being there.
    Flag(&'static str),
    /// `NAME=VALUE` in an element.
    Pair(&'static str),
    /// A property of the `configuration`.
    Property,
    /// An element with a text, by its name.
    Named(Vec<&'static str>),
    /// An operation on files, with the attributes that the arguments become.
    Operation(&'static str, Vec<&'static str>),
    /// A part of the operations of that name, to which it belongs.
    Part(Part, Vec<&'static str>),
}

/// A part of an operation that need not be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Attribute(&'static str),
    /// An attribute that is set to `true`.
    Yes(&'static str),
    Flag(&'static str),
}

impl Writes {
    pub(super) fn n_arguments(&self) -> usize {
        match self {
            Writes::Flag(_) | Writes::Part(Part::Yes(_) | Part::Flag(_), _) => 0,
            Writes::Text(_) | Writes::Part(Part::Attribute(_), _) => 1,
            Writes::Pair(_) | Writes::Property | Writes::Named(_) => 2,
            Writes::Operation(_, attributes) => attributes.len(),
        }
    }
}

impl Builder {
    pub(super) fn named(function: &str) -> Option<&'static Builder> {
        BUILDERS.iter().find(|it| it.function == function)
    }

    /// The namespace of the body; `None` for that of the workflow.
    pub(super) fn namespace(&self) -> Option<String> {
        let vocabulary = Vocabulary::of_body(self.element)?;
        Some(format!("{}{}", vocabulary.prefix, vocabulary.newest()))
    }

    /// The shape of the body, and the version of its schema that workflows in Rust are written in.
    pub(super) fn shape(&self) -> Option<(&'static ElementShape, Version)> {
        match Vocabulary::of_body(self.element) {
            Some(vocabulary) => Some((vocabulary.shape, vocabulary.newest())),
            None => {
                let mut bodies = ACTION.groups().iter().flat_map(|group| group.members());
                let body = bodies.find(|member| member.name() == Some(self.element))?;
                Some((body.shape, WORKFLOW.newest()))
            }
        }
    }

    /// Whether its body may have an element of that name.
    pub(super) fn has(&self, element: &str) -> bool {
        self.shape()
            .is_some_and(|(shape, _)| place_in(shape, element).is_some())
    }

    /// The place of an element in the order of the schema; elements of a choice have the same. With `parent`, in that one.
    pub(super) fn place_of(&self, parent: Option<&str>, element: &str) -> Option<usize> {
        let (mut shape, version) = self.shape()?;
        if let Some(parent) = parent {
            let found = members(shape, version).find(|it| it.name() == Some(parent));
            shape = found?.shape;
        }
        place_in(shape, element)
    }

    /// The method of that name.
    pub(super) fn method(&self, method: &syn::Ident) -> Option<&'static Method> {
        let method = without_raw(method);
        self.methods().iter().find(|it| it.name == method)
    }

    /// All methods. Those of one element are the same, whichever function begins it.
    pub(super) fn methods(&self) -> &'static [Method] {
        static METHODS: OnceLock<BTreeMap<&'static str, Vec<Method>>> = OnceLock::new();
        let methods = METHODS.get_or_init(|| {
            let of_type = |builder: &'static Builder| (builder.element, methods_of(builder));
            BUILDERS.iter().map(of_type).collect()
        });
        methods.get(self.element).map_or(&[], |found| &found[..])
    }

    /// Whether what it prints can be captured.
    pub(super) fn captures(&self) -> bool {
        self.has(CAPTURE)
    }
}

/// Written by `capture`, which all types that have it share.
pub(super) const CAPTURE: &str = "capture-output";

/// The elements of `launcher`.
pub(super) fn launcher_settings() -> &'static [&'static str] {
    let launcher = BUILDERS.iter().flat_map(Builder::methods);
    launcher
        .filter_map(|method| match &method.writes {
            Writes::Named(settings) => Some(&settings[..]),
            _ => None,
        })
        .next()
        .unwrap_or_default()
}

fn place_in(shape: &'static ElementShape, element: &str) -> Option<usize> {
    shape.groups().iter().position(|group| {
        let mut members = group.members().into_iter();
        members.any(|member| member.name() == Some(element))
    })
}

/// The elements that a body or a part of it can have in a version.
pub(super) fn members(
    shape: &'static ElementShape,
    version: Version,
) -> impl Iterator<Item = &'static Member> {
    let all = shape.groups().iter().flat_map(|group| group.members());
    all.filter(move |member| member.availability.is_supported(version))
}

/// The attributes that must be there, or those that need not.
pub(super) fn attributes(
    shape: &'static ElementShape,
    version: Version,
    are_required: bool,
) -> impl Iterator<Item = &'static AttributeRule> {
    let all = shape.attributes.iter();
    all.filter(move |it| it.is_required == are_required && it.availability.is_supported(version))
}

fn methods_of(builder: &'static Builder) -> Vec<Method> {
    let Some((shape, version)) = builder.shape() else {
        return Vec::new();
    };
    let same_type = BUILDERS.iter().filter(|it| it.element == builder.element);
    // What a function takes is there once, unless the schema repeats it.
    let begins = |element: &str| {
        element != "arg" && same_type.clone().any(|it| it.arguments.contains(&element))
    };
    let mut methods = Vec::new();
    for member in members(shape, version) {
        match member.name() {
            Some(name) if name != CAPTURE && !begins(name) => {
                add_methods(&mut methods, name, member.shape, version);
            }
            Some(_) | None => {}
        }
    }
    methods
}

/// Adds the methods that write an element of the body.
fn add_methods(
    methods: &mut Vec<Method>,
    name: &'static str,
    shape: &'static ElementShape,
    version: Version,
) {
    let has_elements = members(shape, version).next().is_some();
    match &shape.content {
        _ if name == "configuration" => methods.push(Method {
            name: "property".to_owned(),
            parent: None,
            writes: Writes::Property,
        }),
        _ if name == "launcher" => methods.push(Method {
            name: name.to_owned(),
            parent: Some(name),
            writes: Writes::Named(members(shape, version).filter_map(Member::name).collect()),
        }),
        ContentModel::Elements(_) if !shape.attributes.is_empty() => {
            add_operation(methods, None, name, shape, version);
        }
        ContentModel::Elements(_) if has_elements => {
            for member in members(shape, version) {
                let Some(child) = member.name() else { continue };
                if !member.shape.attributes.is_empty() {
                    add_operation(methods, Some(name), child, member.shape, version);
                } else {
                    methods.push(simple(Some(name), child, member.shape));
                }
            }
        }
        ContentModel::Elements(_) | ContentModel::Text(_) => {
            methods.push(simple(None, name, shape));
        }
    }
}

/// The method that writes an element with a text, or with nothing.
fn simple(
    parent: Option<&'static str>,
    element: &'static str,
    shape: &'static ElementShape,
) -> Method {
    let (method, writes) = match (element, &shape.content) {
        // Most types call it `arg`.
        ("argument", _) => ("arg", Writes::Text(element)),
        ("env" | "env-var", _) => ("env", Writes::Pair(element)),
        ("record-reader-mapping", _) => (element, Writes::Pair(element)),
        (_, ContentModel::Text(_)) => (element, Writes::Text(element)),
        (_, ContentModel::Elements(_)) => (element, Writes::Flag(element)),
    };
    Method {
        name: rust_name(parent, method),
        parent,
        writes,
    }
}

/// Adds the method of an operation on files, and one for each part that it need not have.
fn add_operation(
    methods: &mut Vec<Method>,
    parent: Option<&'static str>,
    element: &'static str,
    shape: &'static ElementShape,
    version: Version,
) {
    // `move` is a word of Rust.
    let method = if element == "move" { "rename" } else { element };
    let required = attributes(shape, version, true).map(|it| it.name);
    methods.push(Method {
        name: rust_name(parent, method),
        parent,
        writes: Writes::Operation(element, required.collect()),
    });
    let of_attribute = |it: &'static AttributeRule| match it.value {
        SimpleType::Boolean => Part::Yes(it.name),
        _ => Part::Attribute(it.name),
    };
    let flags = members(shape, version).filter_map(Member::name);
    let parts = attributes(shape, version, false)
        .map(of_attribute)
        .chain(flags.map(Part::Flag));
    for part in parts {
        let (Part::Attribute(name) | Part::Yes(name) | Part::Flag(name)) = part;
        let name = rust_name(None, name);
        match methods.iter_mut().find(|it| it.name == name) {
            Some(Method {
                writes: Writes::Part(_, operations),
                ..
            }) => operations.push(element),
            Some(_) | None => methods.push(Method {
                name,
                parent,
                writes: Writes::Part(part, vec![element]),
            }),
        }
    }
}

fn rust_name(parent: Option<&str>, element: &str) -> String {
    let name = match parent {
        Some(parent) => format!("{parent}_{element}"),
        None => element.to_owned(),
    };
    name.replace('-', "_")
}

#[cfg(test)]
mod tests;
