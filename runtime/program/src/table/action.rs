//! Action nodes: what all types have in common, and the body of each.

use crate::table::{Properties, Template, Tool};

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

/// The body of an action, one variant a type.
#[derive(Debug)]
pub enum Body {
    Email(Email),
    Fs(Fs),
    Git(Git),
    Http(Http),
    Java(Java),
    /// Pig on another host: the dialect of 2009 has it.
    PigHost(PigHost),
    Shell(Shell),
    Ssh(Ssh),
    SubWorkflow(SubWorkflow),
    /// A job of Hadoop or of a system on it, by the tool that is installed for it.
    Tool(Tool),
    /// An extension's type; the executor registry knows it by its name.
    Custom(Custom),
}

impl Body {
    /// Oozie's name of the type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Body::Email(_) => "email",
            Body::Fs(_) => "fs",
            Body::Git(_) => "git",
            Body::Http(_) => "http",
            Body::Java(_) => "java",
            Body::PigHost(_) => "pig",
            Body::Shell(_) => "shell",
            Body::Ssh(_) => "ssh",
            Body::SubWorkflow(_) => "sub-workflow",
            Body::Tool(tool) => tool.kind.type_name(),
            Body::Custom(custom) => custom.type_name,
        }
    }

    /// Whether a local process does the work, which is waited for as long as it takes.
    pub fn is_process(&self) -> bool {
        match self {
            Body::Java(_) | Body::Shell(_) => true,
            Body::Email(_) | Body::Git(_) | Body::Http(_) | Body::PigHost(_) | Body::Ssh(_) => true,
            Body::Tool(_) => true,
            Body::Fs(_) | Body::SubWorkflow(_) | Body::Custom(_) => false,
        }
    }
}

/// The texts of an action's body.
#[derive(Debug)]
pub struct Settings {
    /// The elements that hold nothing but a text, by their names in the schema.
    pub elements: &'static [Properties],
    /// The action's own configuration, above `config-default.xml` and `global`.
    pub configuration: &'static [Properties],
}

impl Settings {
    /// Nothing is written.
    pub const EMPTY: Settings = Settings {
        elements: &[],
        configuration: &[],
    };

    /// The texts of the elements `name`, in the order of the document.
    pub fn elements(&self, name: &str) -> impl Iterator<Item = Template> {
        Properties::each(self.elements)
            .filter(move |element| element.name() == name)
            .map(|element| element.value())
    }

    /// The text of the element `name`, where it is written.
    pub fn element(&self, name: &str) -> Option<Template> {
        self.elements(name).next()
    }

    /// The text of the element `name`, which the schema requires.
    pub fn required(&self, name: &str) -> Template {
        self.element(name).unwrap_or(Template::Literal(0, ""))
    }
}

#[derive(Debug)]
pub enum PrepareOperation {
    Delete(Template),
    Mkdir(Template),
}

#[derive(Debug)]
pub struct Shell {
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
    pub capture_output: bool,
}

impl Shell {
    /// What stands for the elements that are not written.
    pub const EMPTY: Shell = Shell {
        settings: Settings::EMPTY,
        prepare: &[],
        capture_output: false,
    };
}

#[derive(Debug)]
pub struct Java {
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
    pub capture_output: bool,
}

impl Java {
    /// What stands for the elements that are not written.
    pub const EMPTY: Java = Java {
        settings: Settings::EMPTY,
        prepare: &[],
        capture_output: false,
    };
}

/// One message: the elements `to`, `cc`, `bcc`, `subject`, `body`, `content_type`, `attachment`.
#[derive(Debug)]
pub struct Email {
    pub settings: Settings,
}

impl Email {
    /// What stands for the elements that are not written.
    pub const EMPTY: Email = Email {
        settings: Settings::EMPTY,
    };
}

/// A repository that is cloned: the elements `git-uri`, `branch`, `key-path`, `destination-uri`.
#[derive(Debug)]
pub struct Git {
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
}

impl Git {
    /// What stands for the elements that are not written.
    pub const EMPTY: Git = Git {
        settings: Settings::EMPTY,
        prepare: &[],
    };
}

/// One request: the elements `url`, and `content-type` and `post` of what is posted; `mode` where an expression says whether
/// it waits for its callback.
#[derive(Debug)]
pub struct Http {
    pub settings: Settings,
    pub waits_for_callback: bool,
    pub capture_output: bool,
}

impl Http {
    /// What stands for the elements that are not written.
    pub const EMPTY: Http = Http {
        settings: Settings::EMPTY,
        waits_for_callback: false,
        capture_output: false,
    };
}

/// Pig on another host: the elements `pig-host`, `pig-script` and `param`.
#[derive(Debug)]
pub struct PigHost {
    pub settings: Settings,
    pub prepare: &'static [PrepareOperation],
}

impl PigHost {
    /// What stands for the elements that are not written.
    pub const EMPTY: PigHost = PigHost {
        settings: Settings::EMPTY,
        prepare: &[],
    };
}

/// A command on another host: the elements `host`, `command`, and `args` or `arg`.
#[derive(Debug)]
pub struct Ssh {
    pub settings: Settings,
    pub capture_output: bool,
}

impl Ssh {
    /// What stands for the elements that are not written.
    pub const EMPTY: Ssh = Ssh {
        settings: Settings::EMPTY,
        capture_output: false,
    };
}

#[derive(Debug)]
pub struct Fs {
    pub settings: Settings,
    pub operations: &'static [FsOperation],
    /// It follows the rules of the proposal of 2009: no path is a pattern, relative paths stand on the user's home, and
    /// what moves is looked at before the first operation.
    pub of_proposal: bool,
}

impl Fs {
    /// What stands for the elements that are not written.
    pub const EMPTY: Fs = Fs {
        settings: Settings::EMPTY,
        operations: &[],
        of_proposal: false,
    };
}

#[derive(Debug)]
pub enum FsOperation {
    Delete {
        path: Template,
        skip_trash: Option<Template>,
    },
    Mkdir {
        path: Template,
    },
    Move {
        source: Template,
        target: Template,
    },
    Chmod {
        path: Template,
        permissions: Template,
        dir_files: Option<Template>,
        recursive: bool,
    },
    Chgrp {
        path: Template,
        group: Template,
        dir_files: Option<Template>,
        recursive: bool,
    },
    Touchz {
        path: Template,
    },
    /// Local files have no replicas: checked and otherwise without effect there.
    Setrep {
        path: Template,
        factor: Template,
    },
}

#[derive(Debug)]
pub struct SubWorkflow {
    pub settings: Settings,
    pub propagate_configuration: bool,
}

impl SubWorkflow {
    /// What stands for the elements that are not written.
    pub const EMPTY: SubWorkflow = SubWorkflow {
        settings: Settings::EMPTY,
        propagate_configuration: false,
    };
}

/// An action of an extension: its texts by path.
#[derive(Debug)]
pub struct Custom {
    pub type_name: &'static str,
    pub settings: Settings,
    pub fields: &'static [(&'static str, Template)],
}
