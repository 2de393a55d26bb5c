//! Command lines of Hadoop's tools: rules shared by the compiler and the running job.

/// Options that a main class of Oozie's launcher refuses, because it sets them itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedOptions {
    /// The tool's display name.
    pub tool: &'static str,
    pub options: &'static [&'static str],
}

impl RefusedOptions {
    /// The first argument that is one of these options.
    pub fn find<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        arguments
            .into_iter()
            .find(|argument| self.options.contains(argument))
    }
}

/// `PigMain`
pub static PIG: RefusedOptions = RefusedOptions {
    tool: "Pig",
    options: &[
        "-4",
        "-log4jconf",
        "-e",
        "-execute",
        "-f",
        "-file",
        "-l",
        "-logfile",
        "-r",
        "-dryrun",
        "-P",
        "-propertyFile",
    ],
};

/// `HiveMain`
pub static HIVE: RefusedOptions = RefusedOptions {
    tool: "Hive",
    options: &[
        "-d",
        "--define",
        "-e",
        "-f",
        "-H",
        "--help",
        "--hiveconf",
        "--hivevar",
        "-s",
        "--silent",
        "-D",
    ],
};

/// `Hive2Main`
pub static HIVE2: RefusedOptions = RefusedOptions {
    tool: "beeline",
    options: &["-u", "-n", "-p", "-d", "-e", "-f", "-a", "--help"],
};

/// Splits a `command` of Sqoop into words (`SqoopActionExecutor`): only at blanks, where several count as one.
pub fn split_at_blanks(command: &str) -> Vec<String> {
    command
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// An unclosed quote, or a trailing backslash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbalanced;

/// Splits a text into words like a POSIX shell (`ShellSplitter`): white space separates, single quotes protect everything, double
/// quotes protect all but backslashes, and a backslash protects the next character.
///
/// # Errors
///
/// A quote that is not closed.
pub fn split_like_a_shell(text: &str) -> Result<Vec<String>, Unbalanced> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => {
                let escaped = characters.next().ok_or(Unbalanced)?;
                word.get_or_insert_default().push(escaped);
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                // `''` is a word too.
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(Unbalanced);
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_alone_split_a_command() {
        let words = split_at_blanks("import  --query 'a b'\t--x\n ");
        assert_eq!(words, ["import", "--query", "'a", "b'\t--x\n"]);
        assert_eq!(split_at_blanks("  "), [""; 0]);
    }

    #[test]
    fn a_shell_takes_quotes_apart() {
        for (text, words) in [
            ("", &[][..]),
            (" a\t b\nc ", &["a", "b", "c"]),
            (r#"a "b c" 'd "e' f"#, &["a", "b c", "d \"e", "f"]),
            (r#"a"b c"d'e'"#, &["ab cde"]),
            (r#"'' "" x"#, &["", "", "x"]),
            (r"a\ b \' '\n'", &["a b", "'", "\\n"]),
            (r#""a\"b \\ c""#, &["a\"b \\ c"]),
        ] {
            assert_eq!(split_like_a_shell(text).unwrap(), words, "{text}");
        }
        for text in ["'a", "\"a b", "a\\", "\"a\\\""] {
            assert_eq!(split_like_a_shell(text), Err(Unbalanced), "{text}");
        }
    }

    #[test]
    fn refused_options_are_found_whole() {
        assert_eq!(HIVE2.find(["-x", "-p", "-e"]), Some("-p"));
        assert_eq!(HIVE.find(["--hivevarx", "-d=1"]), None);
    }
}
