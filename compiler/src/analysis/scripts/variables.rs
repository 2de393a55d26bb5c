//! The parameters that scripts of Hive and Pig use.

use std::collections::{BTreeMap, BTreeSet};

/// The names that a script reads, with their first lines, counted from 1. Comments do not count.
#[derive(Debug, Default)]
pub(super) struct ScriptVariables {
    pub(super) names: BTreeMap<String, usize>,
    /// `${hiveconf:NAME}`
    pub(super) settings: BTreeMap<String, usize>,
    /// It runs or imports others, which may use more.
    pub(super) runs_others: bool,
    /// What it sets itself: `set hivevar:NAME=`, `%default NAME`, the parameters of a macro.
    pub(super) own: BTreeSet<String>,
    /// It may get further values in another way.
    pub(super) is_open: bool,
}

impl ScriptVariables {
    /// `${NAME}`, `${hivevar:NAME}`, `${hiveconf:NAME}`, and `&NAME` of beeline.
    pub(super) fn of_hive(script: &str) -> ScriptVariables {
        let mut found = ScriptVariables::default();
        for (number, line) in (1..).zip(without_comments(script).lines()) {
            found.runs_others |= begins_with(line, &["source", "!run", "!sh", "add", "dfs"]);
            found.is_open |=
                begins_with(line, &["source", "!run"]) || line.contains("hive.variable.substitute");
            for statement in line.split(';').filter(|it| begins_with(it, &["set"])) {
                let rest = statement.trim_start()[3..].trim_start();
                let name = rest.split('=').next().unwrap_or_default().trim_end();
                let name = name.strip_prefix("hivevar:").unwrap_or(name);
                found.own.insert(name.to_owned());
            }
            for name in in_braces(line) {
                match name.split_once(':') {
                    Some(("hiveconf", name)) => insert(&mut found.settings, name, number),
                    Some(("hivevar", name)) => insert(&mut found.names, name, number),
                    Some(_) => {}
                    None => insert(&mut found.names, name, number),
                }
            }
        }
        found
    }

    /// `$NAME` and `${NAME}`.
    pub(super) fn of_pig(script: &str) -> ScriptVariables {
        let mut found = ScriptVariables::default();
        let code = without_comments(script);
        found.own = names_of_macros(&code);
        // A script of Python or JavaScript, in which Pig is a library.
        found.is_open = code.contains("org.apache.pig.scripting");
        for (number, line) in (1..).zip(code.lines()) {
            found.runs_others |= begins_with(line, &["run", "exec", "import"]);
            if begins_with(line, &["%default", "%declare"]) {
                found
                    .own
                    .extend(line.split_whitespace().nth(1).map(str::to_owned));
            }
            for (at, _) in line.match_indices('$') {
                // `\$` is a dollar sign.
                if line[..at].ends_with(['\\', '$']) {
                    continue;
                }
                let rest = &line[at + 1..];
                if let Some(name) = in_braces(&line[at..])
                    .next()
                    .filter(|_| rest.starts_with('{'))
                {
                    insert(&mut found.names, name, number);
                    continue;
                }
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
                let name = &rest[..end.unwrap_or(rest.len())];
                // `$0` is a field.
                if is_name(name) {
                    insert(&mut found.names, name, number);
                }
            }
        }
        found.is_open |= found.runs_others;
        found
    }

    /// What it reads and does not set, of names of the usual form, with the first lines.
    pub(super) fn wanted(&self) -> impl Iterator<Item = (&str, usize)> {
        self.names
            .iter()
            .filter(|(name, _)| !self.is_open && !self.own.contains(*name) && is_name(name))
            .map(|(name, line)| (name.as_str(), *line))
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn insert(names: &mut BTreeMap<String, usize>, name: &str, line: usize) {
    if !names.contains_key(name) {
        names.insert(name.to_owned(), line);
    }
}

fn begins_with(line: &str, words: &[&str]) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    words.iter().any(|word| first.eq_ignore_ascii_case(word))
}

fn in_braces(line: &str) -> impl Iterator<Item = &str> {
    let starts = line.match_indices("${").map(|(at, _)| &line[at + 2..]);
    starts.filter_map(|rest| Some(rest.split_once('}')?.0.trim()))
}

/// The names in `DEFINE NAME(A, B) RETURNS C, D {`, and all other words before the brace.
fn names_of_macros(script: &str) -> BTreeSet<String> {
    let lower = script.to_ascii_lowercase();
    let mut names = BTreeSet::new();
    let mut end = 0;
    for (at, _) in lower.match_indices("returns") {
        let Some(start) = lower[end..at].rfind("define") else {
            continue;
        };
        let start = end + start;
        end = lower[at..]
            .find('{')
            .map_or(script.len(), |brace| at + brace);
        let words = script[start..end].split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        names.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
    }
    names
}

/// The script with the same lines, without `-- ...` and `/* ... */`. A quote ends with its line, whatever follows: then what is taken
/// for a comment may be text, but a comment is never taken for text.
fn without_comments(script: &str) -> String {
    let mut code = String::with_capacity(script.len());
    let mut is_in_block = false;
    for line in script.lines() {
        let mut quote = None;
        let mut rest = if line.trim_start().starts_with("--") && !is_in_block {
            ""
        } else {
            line
        };
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            if is_in_block {
                if rest.starts_with("*/") {
                    is_in_block = false;
                    length = 2;
                }
                rest = &rest[length..];
                continue;
            }
            match (quote, c) {
                (_, '\\') => {
                    length += rest[1..].chars().next().map_or(0, char::len_utf8);
                }
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '-') if rest.starts_with("--") => break,
                // `/data/*` is a path.
                (None, '/') if rest.starts_with("/*") && !code.ends_with(is_of_path) => {
                    is_in_block = true;
                    rest = &rest[2..];
                    continue;
                }
                _ => {}
            }
            code.push_str(&rest[..length]);
            rest = &rest[length..];
        }
        code.push('\n');
    }
    code
}

fn is_of_path(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '}' | '_' | '-' | '.' | '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &BTreeMap<String, usize>) -> Vec<&str> {
        names.keys().map(String::as_str).collect()
    }

    #[test]
    fn variables_of_hive() {
        let script =
            "SET x=${a};\nselect '${hivevar:b}', ${hiveconf:c}, ${system:user.name}, ${env:HOME};";
        let found = ScriptVariables::of_hive(script);
        assert_eq!(names(&found.names), ["a", "b"]);
        assert_eq!(names(&found.settings), ["c"]);
        assert_eq!(found.settings["c"], 2);
        assert!(!found.runs_others);
        assert!(ScriptVariables::of_hive("source other.q;").runs_others);
    }

    #[test]
    fn variables_of_pig() {
        let found = ScriptVariables::of_pig(
            "a = load '$IN/x' as (b); c = foreach a generate $0;\nstore c into '${OUT}';",
        );
        assert_eq!(names(&found.names), ["IN", "OUT"]);
        assert!(ScriptVariables::of_pig("import 'm.pig';").runs_others);
    }

    #[track_caller]
    fn check_wanted(found: &ScriptVariables, expected: &[&str]) {
        let wanted: Vec<&str> = found.wanted().map(|(name, _)| name).collect();
        assert_eq!(wanted, expected);
    }

    #[test]
    fn what_a_script_of_hive_wants() {
        for (script, expected) in [
            ("select ${a}; -- ${b}", &["a"][..]),
            ("/* ${a}\n ${b} */ select ${c};", &["c"]),
            ("load '/in/*/${a}'; select ${b};", &["a", "b"]),
            ("dfs -rm /in/*; select ${a};", &["a"]),
            ("select 'it -- ${a}';", &["a"]),
            (
                "set hivevar:a=1; SET b = 2;\nselect ${a}, ${b}, ${hivevar:c};",
                &["c"],
            ),
            ("select ${project.version}, ${1}, ${x y};", &[]),
            ("source a.q;\nselect ${a};", &[]),
            ("add jar ${a};", &["a"]),
        ] {
            check_wanted(&ScriptVariables::of_hive(script), expected);
        }
    }

    #[test]
    fn what_a_script_of_pig_wants() {
        for (script, expected) in [
            ("%default a 1\n%DECLARE b 2\nload '$a/$b/$c';", &["c"][..]),
            (
                "define m(in, n) returns out { $out = filter $in by x < $n; };\nload '$a';",
                &["a"],
            ),
            ("a = stream b through `awk '{print \\$NF}'`;", &[]),
            ("-- $a\nload '${b}'; /* $c */", &["b"]),
            (
                "#!/usr/bin/python\nfrom org.apache.pig.scripting import Pig\n'$a'",
                &[],
            ),
            ("import 'm.pig';\nload '$a';", &[]),
        ] {
            check_wanted(&ScriptVariables::of_pig(script), expected);
        }
    }
}
