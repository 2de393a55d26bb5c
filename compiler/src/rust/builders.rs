//! The built-in action types as workflow code writes them: a function, and a method for each element of the schema.

use crate::{
    lower::schema::{ACTION, ChildGroup, ContentModel, ElementShape, Member, Vocabulary},
    rust::tokens::without_raw,
};

/// A built-in action type.
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
    builder("hive2", "hive2", &["jdbc-url", "script"]),
    builder("java", "java", &["main-class"]),
    builder("map_reduce", "map-reduce", &[]),
    builder("pig", "pig", &["script"]),
    builder("shell", "shell", &["exec"]),
    builder("spark", "spark", &["jar"]),
    builder("sqoop", "sqoop", &["command"]),
    builder("ssh", "ssh", &["host", "command"]),
    builder("sub_workflow", "sub-workflow", &["app-path"]),
];

/// What a method of a builder writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// An element with a text.
    Text(&'static str),
    /// An element that says yes by being there.
    Flag(&'static str),
    /// A property of the `configuration`.
    Property,
    /// An element of `prepare`.
    Prepare(&'static str),
    /// An element of `launcher`, by its name.
    Launcher,
    /// `NAME=VALUE` in an element.
    Pair(&'static str),
    /// An operation of `fs`, with the attributes that its arguments become.
    Operation(&'static str, &'static [&'static str]),
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

    fn shape(&self) -> Option<&'static ElementShape> {
        match Vocabulary::of_body(self.element) {
            Some(vocabulary) => Some(vocabulary.shape),
            None => members(&ACTION)
                .find(|member| member.name() == Some(self.element))
                .map(|member| member.shape),
        }
    }

    /// Whether its body may have an element of that name.
    pub(super) fn has(&self, element: &str) -> bool {
        self.place_of(element).is_some()
    }

    /// The place of an element in the order of the schema; elements of a choice have the same.
    pub(super) fn place_of(&self, element: &str) -> Option<usize> {
        let groups = self.shape()?.groups();
        let is_in = |group: &'static ChildGroup| {
            let mut members = group.members().into_iter();
            members.any(|member| member.name() == Some(element))
        };
        groups.iter().position(is_in)
    }

    /// What the method of that name writes.
    pub(super) fn method(&self, method: &syn::Ident) -> Option<Method> {
        let method = without_raw(method);
        let shape = self.shape()?;
        let member = |name: &str| members(shape).find(|member| member.name() == Some(name));
        if self.element == "fs"
            && let Some(operation) = OPERATIONS.iter().find(|it| it.0 == method)
        {
            return Some(Method::Operation(operation.1, operation.2));
        }
        match method.as_str() {
            "property" if member("configuration").is_some() => return Some(Method::Property),
            "prepare_delete" if member("prepare").is_some() => {
                return Some(Method::Prepare("delete"));
            }
            "prepare_mkdir" if member("prepare").is_some() => {
                return Some(Method::Prepare("mkdir"));
            }
            "launcher" if member("launcher").is_some() => return Some(Method::Launcher),
            "env" if member("env-var").is_some() => return Some(Method::Pair("env-var")),
            // Most types call it `argument`.
            "arg" if member("arg").is_none() && member("argument").is_some() => {
                return Some(Method::Text("argument"));
            }
            _ => {}
        }
        let found = member(&method.replace('_', "-")).or_else(|| member(&method))?;
        let name = found.name()?;
        match &found.shape.content {
            ContentModel::Text(_) => Some(Method::Text(name)),
            ContentModel::Elements([]) if found.shape.attributes.is_empty() => {
                Some(Method::Flag(name))
            }
            ContentModel::Elements(_) => None,
        }
    }

    /// Whether what it prints can be captured.
    pub(super) fn captures(&self) -> bool {
        self.has("capture-output")
    }
}

/// The method, the element, and the attributes.
const OPERATIONS: &[(&str, &str, &[&str])] = &[
    ("delete", "delete", &["path"]),
    ("mkdir", "mkdir", &["path"]),
    ("rename", "move", &["source", "target"]),
    ("chmod", "chmod", &["path", "permissions"]),
    ("chgrp", "chgrp", &["path", "group"]),
    ("setrep", "setrep", &["path", "replication-factor"]),
    ("touchz", "touchz", &["path"]),
];

fn members(shape: &'static ElementShape) -> impl Iterator<Item = &'static Member> {
    shape.groups().iter().flat_map(|group| group.members())
}
