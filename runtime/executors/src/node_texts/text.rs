//! One text of one node, and its value in a job.

use std::borrow::Cow;

use hpdlc_core::el::scope::{Origin, Scope};
use hpdlc_host::mask;
use hpdlc_program::table::Template;

use crate::configuration::evaluated_or_verbatim;

/// One text of one node.
#[derive(Clone, Debug)]
pub struct NodeText {
    /// Element names below the action's body, such as `argument[2]`.
    pub path: String,
    pub kind: TextKind,
    pub text: EntryText,
    pub is_secret: bool,
    /// Why it has no value, if evaluating it would not show that.
    pub error: Option<String>,
}

/// What the value of a text is for its action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    Any,
    /// A path that an operation works on.
    Path,
    /// Names the application of a child.
    AppPath,
}

/// What is evaluated.
#[derive(Clone, Debug)]
pub enum EntryText {
    Template(Template),
    /// A template of `config-default.xml`, after its references to properties have been replaced.
    Instead(Template, String),
    /// The job's own property of this name, which replaces the template; with its place if that is known.
    OfJob {
        template: Template,
        name: String,
        text: String,
        place: Option<(String, u32)>,
    },
    /// A value of a `job-xml` file.
    OfFile {
        text: String,
        file: String,
        line: u32,
    },
}

/// The result of a [`NodeText`] in this job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextResult {
    Value(String),
    /// Known only in a running job.
    Deferred,
    Error(String),
}

impl NodeText {
    pub fn of(path: impl Into<String>, template: Template) -> NodeText {
        NodeText {
            path: path.into(),
            kind: TextKind::Any,
            text: EntryText::Template(template),
            is_secret: false,
            error: None,
        }
    }

    /// The value of a property.
    pub fn of_property(name: &str, text: EntryText) -> NodeText {
        NodeText {
            path: format!("configuration/property[{name}]/value"),
            kind: TextKind::Any,
            text,
            is_secret: mask::is_secret_name(name),
            error: None,
        }
    }

    /// As written.
    pub fn source(&self) -> Cow<'_, str> {
        match &self.text {
            EntryText::Template(template)
            | EntryText::Instead(template, _)
            | EntryText::OfJob { template, .. } => template.source(),
            EntryText::OfFile { text, .. } => Cow::Borrowed(text),
        }
    }

    /// The origin of the value: file and line.
    pub fn place(&self, origin: Origin) -> (String, u32) {
        match &self.text {
            EntryText::OfJob {
                place: Some((file, line)),
                ..
            } => (file.clone(), *line),
            EntryText::Template(template)
            | EntryText::Instead(template, _)
            | EntryText::OfJob { template, .. } => {
                let place = template.place(origin);
                (place.file.to_owned(), place.line)
            }
            EntryText::OfFile { file, line, .. } => (file.clone(), *line),
        }
    }

    /// Whether it comes from outside the node.
    pub fn is_from_outside(&self) -> bool {
        match self.text {
            EntryText::Template(template) => matches!(template, Template::Outside(_)),
            EntryText::Instead(..) | EntryText::OfJob { .. } | EntryText::OfFile { .. } => true,
        }
    }

    /// The value; deferred where `is_deferred` says so of the text as written.
    pub fn evaluate(&self, scope: &dyn Scope, is_deferred: fn(&str) -> bool) -> TextResult {
        if let Some(error) = &self.error {
            return TextResult::Error(error.clone());
        }
        let value = match &self.text {
            EntryText::OfJob { text, .. } => return TextResult::Value(text.clone()),
            EntryText::OfFile { text, .. } => {
                return if is_deferred(text) {
                    TextResult::Deferred
                } else {
                    TextResult::Value(evaluated_or_verbatim(text, scope))
                };
            }
            EntryText::Template(template) if is_deferred(&template.source()) => {
                return TextResult::Deferred;
            }
            EntryText::Instead(_, text) if is_deferred(text) => return TextResult::Deferred,
            EntryText::Instead(template, text) => template.evaluate_instead(text, scope),
            EntryText::Template(template) => template.evaluate(scope),
        };
        match value {
            Ok(value) => TextResult::Value(value),
            Err(error) => TextResult::Error(error.to_string()),
        }
    }
}

/// `name` if there is only one, `name[1]`, `name[2]` if there are more.
pub fn numbered(name: &str, n: usize, total: usize) -> String {
    if total == 1 {
        name.to_owned()
    } else {
        format!("{name}[{n}]")
    }
}
