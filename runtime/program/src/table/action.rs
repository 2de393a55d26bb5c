//! Action nodes: what all types have in common, and the body of each.

use std::fmt;

use crate::table::{Property, Template};

mod custom;
mod email;
mod fs;
mod git;
mod http;
mod java;
mod pig_host;
#[cfg(feature = "testing")]
mod probe;
mod shell;
mod ssh;
mod sub_workflow;
mod tool;

pub use self::{fs::FsOperation, tool::ToolKind};

/// An action node's definition.
#[derive(Debug)]
pub struct Action {
    pub retry: Retry,
    pub body: Body,
}

/// User retry. The values are evaluated with job properties alone.
#[derive(Debug)]
pub struct Retry {
    pub max: Option<Template>,
    /// Minutes.
    pub interval: Option<Template>,
    pub policy: Option<Template>,
}

impl Retry {
    /// No user retry is written.
    pub const EMPTY: Retry = Retry {
        max: None,
        interval: None,
        policy: None,
    };
}

/// What the definition of every action type answers.
pub trait ActionDef: fmt::Debug {
    /// Oozie's name of the type.
    fn type_name(&self) -> &'static str;

    fn settings(&self) -> &Settings;

    /// The elements of the type that hold a text, in the order in which they are shown.
    fn elements(&self) -> &'static [&'static str];

    /// Where the text of an element is below the body: an attribute has the name of its element before its own.
    fn path(&self, element: &'static str) -> &'static str {
        element
    }

    /// Whether it has a configuration, with a name node and a resource manager, and inherits what is in `global`.
    fn has_configuration(&self) -> bool {
        true
    }

    fn prepare(&self) -> &'static [PrepareOperation] {
        &[]
    }

    /// What it does to files, one after the other.
    fn operations(&self) -> &'static [FsOperation] {
        &[]
    }

    /// The `app-path` of a child whose job is the work.
    fn child(&self) -> Option<Template> {
        None
    }

    /// Texts by path that no schema of ours knows.
    fn fields(&self) -> &'static [(&'static str, Template)] {
        &[]
    }

    /// Whether a local process does the work, which is waited for as long as it takes.
    fn is_process(&self) -> bool {
        true
    }

    /// Whether nothing happens before its process starts: no `prepare`, no files.
    fn starts_at_once(&self) -> bool {
        false
    }

    /// Whether the exit code of its process alone says that it has ended well.
    fn ends_by_its_code(&self) -> bool {
        false
    }
}

/// The registry of action types, a line each: the enum [`Body`] with its variants, and the way from each to its [`ActionDef`].
macro_rules! action_types {
    ($($(#[$attribute:meta])* $file:ident::$name:ident),* $(,)?) => {
        $($(#[$attribute])* pub use self::$file::$name;)*

        /// The body of an action, one variant a type.
        #[derive(Debug)]
        pub enum Body {
            $($(#[$attribute])* $name($name)),*
        }

        impl Body {
            /// What the type answers.
            pub fn def(&self) -> &dyn ActionDef {
                match self {
                    $($(#[$attribute])* Body::$name(def) => def),*
                }
            }
        }
    };
}

action_types! {
    custom::Custom,
    email::Email,
    fs::Fs,
    git::Git,
    http::Http,
    java::Java,
    pig_host::PigHost,
    #[cfg(feature = "testing")]
    probe::Probe,
    shell::Shell,
    ssh::Ssh,
    sub_workflow::SubWorkflow,
    tool::Tool,
}

/// The texts of an action's body.
#[derive(Debug)]
pub struct Settings {
    /// The elements that hold nothing but a text, by their names in the schema.
    pub elements: &'static [Property],
    /// The action's own configuration, above `config-default.xml` and `global`.
    pub configuration: &'static [Property],
}

impl Settings {
    /// Nothing is written.
    pub const EMPTY: Settings = Settings {
        elements: &[],
        configuration: &[],
    };

    /// The texts of the elements `name`, in the order of the document.
    pub fn elements(&self, name: &str) -> impl Iterator<Item = Template> {
        self.elements
            .iter()
            .filter(move |element| element.name() == name)
            .map(|element| element.value())
    }

    /// The text of the element `name`, where it is written.
    pub fn element(&self, name: &str) -> Option<Template> {
        self.elements(name).next()
    }

    /// The text of the element `name`, which the schema requires.
    pub fn required(&self, name: &str) -> Template {
        self.element(name).unwrap_or(Template::Text(0, ""))
    }
}

#[derive(Debug)]
pub enum PrepareOperation {
    Delete(Template),
    Mkdir(Template),
}
