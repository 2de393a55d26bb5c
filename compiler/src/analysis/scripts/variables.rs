//! The parameters that scripts of Hive and Pig use.

use std::collections::BTreeMap;

/// The names that a script reads, with their first lines, counted from 1.
#[derive(Debug, Default)]
pub(super) struct ScriptVariables {
    pub(super) names: BTreeMap<String, usize>,
    /// `${hiveconf:NAME}`
    pub(super) settings: BTreeMap<String, usize>,
    /// It runs or imports others, which may use more.
    pub(super) runs_others: bool,
}

impl ScriptVariables {
    /// `${NAME}`, `${hivevar:NAME}`, `${hiveconf:NAME}`, and `&NAME` of beeline.
    pub(super) fn of_hive(script: &str) -> ScriptVariables {
        let mut found = ScriptVariables::default();
        for (number, line) in (1..).zip(script.lines()) {
            found.runs_others |= begins_with(line, &["source", "!run", "!sh", "add", "dfs"]);
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
        for (number, line) in (1..).zip(script.lines()) {
            found.runs_others |= begins_with(line, &["run", "exec", "import"]);
            for name in in_braces(line) {
                insert(&mut found.names, name, number);
            }
            for (at, _) in line.match_indices('$') {
                let rest = &line[at + 1..];
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
                let name = &rest[..end.unwrap_or(rest.len())];
                // `$0` is a field.
                if !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) {
                    insert(&mut found.names, name, number);
                }
            }
        }
        found
    }
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
}
