//! The `ssh` action: one command on another host.

use crate::model::{Template, action::ActionBody};

#[derive(Clone, Debug)]
pub struct Ssh {
    /// `user@host`, or `host` alone.
    pub host: Template,
    pub command: Template,
    pub arguments: SshArguments,
    pub capture_output: bool,
}

impl ActionBody for Ssh {
    fn name(&self) -> &'static str {
        "ssh"
    }
}

#[derive(Clone, Debug)]
pub enum SshArguments {
    /// `args`, repeated: joined by blanks, for the remote shell to split.
    Flattened(Vec<Template>),
    /// `arg`, repeated: one argument each, including blanks.
    Preserved(Vec<Template>),
}

impl SshArguments {
    /// As written, in order.
    pub fn templates(&self) -> &[Template] {
        match self {
            SshArguments::Flattened(list) | SshArguments::Preserved(list) => list,
        }
    }
}
