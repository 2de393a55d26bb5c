//! `spark-opts`: the text split into words as Oozie does.

/// The words of `spark-opts` (`SparkOptionsSplitter`).
///
/// A word that starts with `--` is always an option; all text up to the next one is its value, including blanks.
/// Text before the first option is dropped. Quotes are removed if they enclose the whole value, or all of it after `key=`.
pub fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    let mut is_first = true;
    while let Some((before, key, after)) = next_key(rest) {
        if !is_first {
            push_value(&mut words, before);
        }
        words.push(key.trim_end_matches('=').to_owned());
        rest = after;
        is_first = false;
    }
    if !is_first {
        push_value(&mut words, rest);
    }
    words
}

/// The text in front of the first option, which is dropped. Without any option, all of it.
pub fn lost(text: &str) -> Option<&str> {
    let before = next_key(text).map_or(text, |(before, _, _)| before);
    Some(before.trim()).filter(|lost| !lost.is_empty())
}

/// The next option: the text before it, the option, with its `=` if it has one, and the text after it.
fn next_key(text: &str) -> Option<(&str, &str, &str)> {
    let is_first_of_name = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let at = text
        .match_indices("--")
        .map(|(at, _)| at)
        .find(|at| text[at + 2..].starts_with(is_first_of_name))?;
    let name = &text[at + 2..];
    let length = name
        .find(|c: char| !is_first_of_name(c) && c != '-')
        .unwrap_or(name.len());
    let has_sign = name[length..].starts_with('=');
    let end = at + 2 + length + usize::from(has_sign);
    Some((&text[..at], &text[at..end], &text[end..]))
}

fn push_value(words: &mut Vec<String>, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        words.push(unquoted(text));
    }
}

/// `"a b"` and `k="a b"` without the quotes; anything else unchanged.
fn unquoted(text: &str) -> String {
    let Some((before, quoted)) = text.split_once('"') else {
        return text.to_owned();
    };
    match quoted.strip_suffix('"') {
        Some(inner) if !inner.contains('"') && (before.is_empty() || before.ends_with('=')) => {
            format!("{before}{inner}")
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: &[&str]) {
        assert_eq!(split(text), words, "{text}");
    }

    #[test]
    fn text_between_options_is_one_value() {
        check("", &[]);
        check("lost --a b", &["--a", "b"]);
        check("--a", &["--a"]);
        check("--a --b", &["--a", "--b"]);
        check("--a=1 --b 2", &["--a", "1", "--b", "2"]);
        check("--conf k=x y  z --b", &["--conf", "k=x y  z", "--b"]);
        check("\t--a\n b \n--c d", &["--a", "b", "--c", "d"]);
        check(
            "--driver-java-options -Xss1m -v --x.y-z 1",
            &["--driver-java-options", "-Xss1m -v", "--x.y-z", "1"],
        );
        check("--conf a=b--c d", &["--conf", "a=b", "--c", "d"]);
        check("--conf a=-- b", &["--conf", "a=-- b"]);
    }

    #[test]
    fn quotes_go_where_they_enclose_everything() {
        check(r#"--conf "k=a b""#, &["--conf", "k=a b"]);
        check(r#"--conf k="a b" --x"#, &["--conf", "k=a b", "--x"]);
        check(r#"--conf k="a" "b""#, &["--conf", r#"k="a" "b""#]);
        check(r#"--name my "app""#, &["--name", r#"my "app""#]);
        check(r#"--name it's"#, &["--name", "it's"]);
    }
}
