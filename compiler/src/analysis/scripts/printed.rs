//! The keys of captured output that a script prints in plain lines: `echo rows=$n`, `print("rows=%d" % n)`.

/// A key and where it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PrintedKey {
    pub(crate) key: String,
    /// Counted from 1.
    pub(crate) line_number: usize,
    pub(crate) line: String,
}

/// The longest line that a message shows.
const MOST_CHARACTERS: usize = 80;

pub(super) fn keys(script: &str) -> Vec<PrintedKey> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(script.lines()) {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        found.extend(commands(line).filter_map(printed).map(|key| PrintedKey {
            key: key.to_owned(),
            line_number: number,
            line: line.chars().take(MOST_CHARACTERS).collect(),
        }));
    }
    found
}

/// The commands of a line, roughly: what follows `;`, `&&`, `||`, `then` and the like.
fn commands(line: &str) -> impl Iterator<Item = &str> {
    line.split([';', '&', '|', '{'])
        .map(str::trim)
        .map(|command| {
            let words = ["then ", "do ", "else "];
            let found = words.iter().find_map(|word| command.strip_prefix(word));
            found.unwrap_or(command).trim_start()
        })
}

/// The key of `echo key=...` and its relatives in other languages.
fn printed(command: &str) -> Option<&str> {
    const PRINTS: [&str; 5] = ["echo", "printf", "print", "println", "puts"];
    let end = command.find(|c: char| !c.is_ascii_alphabetic())?;
    let (name, mut rest) = command.split_at(end);
    if !PRINTS.contains(&name) {
        return None;
    }
    let after = rest.trim_start_matches([' ', '\t', '(']);
    if after.len() == rest.len() {
        return None;
    }
    rest = after;
    while let Some(option) = ["-n ", "-e ", "-ne ", "-en ", "-- "]
        .iter()
        .find_map(|option| rest.strip_prefix(option))
    {
        rest = option.trim_start();
    }
    // `f"..."` of Python.
    let quoted = rest
        .strip_prefix(['f', 'b'])
        .filter(|it| it.starts_with(['"', '\'']));
    let rest = quoted.unwrap_or(rest).trim_start_matches(['"', '\'']);
    let length =
        rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
    let (key, value) = rest.split_at(length);
    let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (is_key && value.starts_with('=') && !value.starts_with("==")).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::keys;

    #[test]
    fn plain_lines_tell_their_keys() {
        for (line, expected) in [
            ("echo rows=$n", &["rows"][..]),
            ("  echo \"rows=$n\"", &["rows"]),
            ("echo -n 'day=1'", &["day"]),
            ("printf 'rows=%d\\n' $n", &["rows"]),
            ("print(\"rows=%d\" % n)", &["rows"]),
            ("print(f'rows={n}')", &["rows"]),
            ("print 'rows=' + n", &["rows"]),
            ("if x; then echo a=1; else echo b=2; fi", &["a", "b"]),
            ("echo $key=$value", &[]),
            ("# echo rows=1", &[]),
            ("rows=1", &[]),
            ("echo rows", &[]),
            ("echo a == b", &[]),
            ("echoed a=b", &[]),
            ("fprint(x=1)", &[]),
        ] {
            let found = keys(line);
            let found: Vec<&str> = found.iter().map(|it| it.key.as_str()).collect();
            assert_eq!(found, expected, "{line}");
        }
        assert_eq!(keys("a\n\necho b=1\n")[0].line_number, 3);
    }
}
