//! `completions`: a script that makes a shell complete the executable's arguments.

use clap::Args;
use clap_complete::{Shell, generate};
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_program::table::Program;

use crate::commands::{self, write_out};

/// How to enable them in each shell.
const USE: &str = "\
bash:  source <(./NAME completions bash)      in ~/.bashrc
zsh:   source <(./NAME completions zsh)       in ~/.zshrc, after compinit
fish:  ./NAME completions fish | source       in ~/.config/fish/config.fish

Those of bash, zsh and fish ask the executable for jobs, nodes, actions and properties.";

#[derive(Debug, Args)]
#[command(after_help = USE)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let name = file_name();
        let script = match self.shell {
            Shell::Bash => asking(include_str!("completions/bash.txt"), &name),
            Shell::Zsh => asking(include_str!("completions/zsh.txt"), &name),
            Shell::Fish => asking(include_str!("completions/fish.txt"), &name),
            other => {
                let mut script = Vec::new();
                generate(other, &mut commands::command(program), name, &mut script);
                String::from_utf8_lossy(&script).into_owned()
            }
        };
        write_out(&script)?;
        Ok(Exit::Success)
    }
}

/// A script that calls the executable, for an executable of this name.
fn asking(script: &str, name: &str) -> String {
    let function: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let quoted = format!("'{}'", name.replace('\'', r"'\''"));
    script
        .replace("FUNCTION", &format!("_hpdl_complete_{function}"))
        .replace("QUOTED", &quoted)
}

/// What users type: the name of the executable's file, not that of the workflow.
pub(super) fn file_name() -> String {
    std::env::args_os()
        .next()
        .as_deref()
        .and_then(|path| std::path::Path::new(path).file_name()?.to_str())
        .unwrap_or("workflow")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_quoted_and_its_function_is_a_word() {
        let script = asking("FUNCTION() {}\ncomplete -F FUNCTION QUOTED\n", "it's a-job");
        assert_eq!(
            script,
            "_hpdl_complete_it_s_a_job() {}\n\
             complete -F _hpdl_complete_it_s_a_job 'it'\\''s a-job'\n"
        );
    }
}
