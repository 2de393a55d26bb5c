//! Hints for a `shell` action that uses shell syntax without a shell, or whose program is not found.

use hpdlc_program::failure::ActionError;

use crate::file_name::base_name;

/// Programs that interpret shell syntax themselves.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ksh", "zsh", "busybox"];

/// Arguments that a shell would interpret.
const SYNTAX: [&str; 14] = [
    "|", "||", "&", "&&", ";", ">", ">>", "<", "<<", "2>", "2>&1", "&>", "`", "|&",
];

/// What the user can do; empty if unknown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hint(String);

impl Hint {
    pub(super) fn about(self, mut error: ActionError) -> ActionError {
        if !self.0.is_empty() {
            error.message.push_str("; ");
            error.message.push_str(&self.0);
        }
        error
    }
}

/// For a program that is not found. `is_brought`: the application has a file of that path.
pub(super) fn of_missing(exec: &str, is_brought: bool) -> Hint {
    let name = base_name(exec);
    let words = exec.split_whitespace();
    Hint(if is_brought {
        format!("the application has this file: bring it with <file>{exec}</file>")
    } else if words.clone().count() > 1 {
        let mut words = words;
        let program = words.next().unwrap_or_default();
        let arguments: Vec<String> = words
            .map(|word| format!("<argument>{word}</argument>"))
            .collect();
        format!(
            "`exec` is one program, without arguments; write <exec>{program}</exec>{}",
            arguments.concat()
        )
    } else if exec.starts_with('/') {
        format!(
            "of the path {exec} only `{name}` counts, as in Oozie; bring it with <file>{exec}</file>, or have its folder in PATH"
        )
    } else if exec.contains('/') {
        format!(
            "of the path {exec} only `{name}` counts, as in Oozie, and no folder but the action's own; put it into the application's folder, and bring it with <file>{exec}</file>"
        )
    } else {
        format!("put it into the application's folder, and bring it with <file>{name}</file>")
    })
}

/// For arguments that look like shell syntax if no shell is started.
pub(super) fn of_syntax(exec: &str, arguments: &[String]) -> Option<String> {
    if SHELLS.contains(&base_name(exec)) {
        return None;
    }
    let is_syntax = |argument: &&String| {
        let mut words = argument.split_whitespace();
        SYNTAX.contains(&argument.trim())
            || argument.starts_with("| ")
            || words.clone().count() > 2
                && words.any(|word| matches!(word, "|" | "&&" | "||" | ">>"))
    };
    let found = arguments.iter().find(is_syntax)?;
    Some(format!(
        "no shell reads the arguments: `{found}` is passed to `{}` unchanged; for pipes and redirections write <exec>sh</exec><argument>-c</argument> and the whole line as one more argument",
        base_name(exec)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_tells_what_to_write() {
        for (exec, is_brought, words) in [
            ("bin/load.sh", true, "<file>bin/load.sh</file>"),
            ("bin/load.sh", false, "only `load.sh` counts"),
            ("/opt/x/load", false, "have its folder in PATH"),
            ("load.sh", false, "<file>load.sh</file>"),
            (
                "python load.py --all",
                false,
                "<exec>python</exec><argument>load.py</argument><argument>--all</argument>",
            ),
        ] {
            let error = of_missing(exec, is_brought).about(ActionError::error("JA018", "missing"));
            assert!(error.message.starts_with("missing; "), "{}", error.message);
            assert!(error.message.contains(words), "{exec}: {}", error.message);
        }
    }

    #[test]
    fn syntax_is_told_where_no_shell_reads_it() {
        let told = |exec: &str, arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
            of_syntax(exec, &arguments).is_some()
        };
        for arguments in [
            &["a", "|", "wc"][..],
            &["x", ">", "y"],
            &["x", "2>&1"],
            &["ls | wc -l"],
            &["cd /x && ls"],
        ] {
            assert!(told("echo", arguments), "{arguments:?}");
            assert!(!told("bash", arguments), "{arguments:?}");
            assert!(!told("/bin/sh", arguments), "{arguments:?}");
        }
        for arguments in [&["a|b"][..], &["-e", "s/a/b/; s/c/d/"], &["a > b"], &[]] {
            assert!(!told("echo", arguments), "{arguments:?}");
        }
    }
}
