//! Action nodes: what all types have in common, and the body of each.

use std::fmt;

use hpdlc_core::action::{self, Empty, Form, TypedBody};

use crate::table::{Property, Template};

mod custom;
mod email;
mod fs;
mod git;
mod http;
mod java;
#[cfg(feature = "testing")]
mod probe;
mod rust;
mod shell;
mod ssh;
mod sub_workflow;
mod tool;

pub use self::{
    custom::CustomElement,
    fs::FsOperation,
    http::HttpPost,
    java::JavaOpts,
    rust::called_functions,
    ssh::SshArguments,
    tool::{HiveSource, MapReduceProgram, PigScript, Pipes, SqoopCommand, Streaming},
};

/// The bodies of a compiled program: everything is static.
#[derive(Clone, Debug)]
pub struct Compiled;

impl Form for Compiled {
    type Text = Template;
    type List<T: Clone + fmt::Debug + 'static> = &'static [T];
    type Boxed<T: Clone + fmt::Debug + 'static> = &'static T;
    type Configuration = &'static [Property];
    type Operation = FsOperation;
}

impl Empty for Template {
    const EMPTY: Template = Template::Text(0, "");
}

pub type Settings = action::Settings<Compiled>;
pub type PrepareOperation = action::PrepareOperation<Compiled>;

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

/// What the engine needs to know of an action type, besides the elements of its body.
pub trait ActionDef: TypedBody<Compiled> {
    /// Whether its configuration has an effect.
    fn has_configuration(&self) -> bool {
        self.settings().is_some()
    }

    /// The `app-path` of a child whose job is the work.
    fn child(&self) -> Option<Template> {
        None
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

    /// Whether a user retry that is written for it applies to all its error codes: none is on the list of Oozie's server.
    fn retries_every_error(&self) -> bool {
        false
    }

    /// Upcasts to the trait object.
    fn as_def(&self) -> &dyn ActionDef
    where
        Self: Sized,
    {
        self
    }
}

/// The registry of action types, a line each: the enum [`Body`] with its variants, and the way from each to its [`ActionDef`]. A large
/// body is in a static of its own, since each node has the size of the largest one.
macro_rules! action_types {
    ($($(#[$attribute:meta])* $file:ident::$name:ident $(by $reference:tt)?),* $(,)?) => {
        $($(#[$attribute])* pub use self::$file::$name;)*

        /// The body of an action, one variant a type.
        #[derive(Debug)]
        pub enum Body {
            $($(#[$attribute])* $name($($reference 'static)? $name)),*
        }

        impl Body {
            /// What is known of the type.
            pub fn def(&self) -> &dyn ActionDef {
                match self {
                    $($(#[$attribute])* Body::$name(def) => def.as_def()),*
                }
            }
        }
    };
}

action_types! {
    custom::Custom,
    tool::Distcp,
    email::Email by &,
    fs::Fs,
    git::Git by &,
    tool::Hive,
    tool::Hive2 by &,
    http::Http,
    java::Java,
    tool::MapReduce,
    tool::Pig,
    #[cfg(feature = "testing")]
    probe::Probe,
    rust::Rust,
    shell::Shell,
    tool::Spark by &,
    tool::Sqoop,
    ssh::Ssh,
    sub_workflow::SubWorkflow,
}
