//! Cuts our own manifests down to the runtime. They are read line by line: an entry a line is how we write them, and the
//! build stops where that does not hold.

use std::collections::BTreeSet;

/// A member's manifest without what only its tests need.
pub struct Member {
    pub text: String,
    /// Names of its dependencies.
    pub dependencies: BTreeSet<String>,
    /// Names of the development dependencies that are not dependencies as well.
    pub only_for_tests: BTreeSet<String>,
}

/// Drops `[dev-dependencies]` and the sections of tests and benchmarks.
pub fn member(text: &str) -> Member {
    let mut kept = String::new();
    let mut dependencies = BTreeSet::new();
    let mut only_for_tests = BTreeSet::new();
    for (section, line) in lines(text) {
        let is_test_section = matches!(
            section,
            "dev-dependencies" | "[test]" | "[bench]" | "[example]"
        );
        if let Some(name) = entry(line) {
            match section {
                "dependencies" | "build-dependencies" => drop(dependencies.insert(name.to_owned())),
                "dev-dependencies" => drop(only_for_tests.insert(name.to_owned())),
                _ => {}
            }
        }
        if !is_test_section {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    only_for_tests.retain(|name| !dependencies.contains(name));
    Member {
        text: kept,
        dependencies,
        only_for_tests,
    }
}

/// The workspace with `members` alone, and of the shared dependencies those that they use.
pub fn workspace(root: &str, members: &[&str], used: &BTreeSet<String>) -> String {
    let mut kept = String::from("[workspace]\nresolver = \"3\"\nmembers = [");
    kept.push_str(
        &members
            .iter()
            .map(|member| format!("\"{member}\""))
            .collect::<Vec<_>>()
            .join(", "),
    );
    kept.push_str("]\n\n");
    for (section, line) in lines(root) {
        let is_kept = match section {
            "" | "workspace" => false,
            "workspace.dependencies" => match entry(line) {
                Some(name) => {
                    let depth =
                        |open, close| line.matches(open).count() == line.matches(close).count();
                    assert!(
                        depth('{', '}') && depth('[', ']'),
                        "an entry of [workspace.dependencies] must stand on one line: {line}"
                    );
                    used.contains(name)
                }
                None => true,
            },
            _ => true,
        };
        if is_kept {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Every line with the name of the section that it is in; the header belongs to its own section.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "";
    text.lines().map(move |line| {
        if let Some(header) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            section = header;
        }
        (section, line)
    })
}

/// The key of a `key = value` or `key.workspace = true` line.
fn entry(line: &str) -> Option<&str> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    if key.is_empty() || key.starts_with(['#', '[']) {
        return None;
    }
    Some(key.split('.').next().unwrap_or(key))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn development_dependencies_are_dropped() {
        let member = member(
            "[package]\nname = \"a\"\n\n[dependencies]\nb.workspace = true\nc = \"1\"\n\n\
             [dev-dependencies]\nc = \"1\"\nd.workspace = true\n\n[[test]]\nname = \"t\"\n\n[lints]\nworkspace = true\n",
        );
        expect![[r#"
            [package]
            name = "a"

            [dependencies]
            b.workspace = true
            c = "1"

            [lints]
            workspace = true
        "#]]
        .assert_eq(&member.text);
        assert_eq!(
            member.dependencies.into_iter().collect::<Vec<_>>(),
            ["b", "c"]
        );
        assert_eq!(member.only_for_tests.into_iter().collect::<Vec<_>>(), ["d"]);
    }

    #[test]
    fn the_workspace_keeps_the_profile_and_the_dependencies_in_use() {
        let root = "[workspace]\nresolver = \"3\"\nmembers = [\n    \"compiler\",\n]\n\n[workspace.package]\nversion = \"1\"\n\n\
                    [workspace.dependencies]\nhpdlc = { path = \"compiler\" }\nserde = \"1\"\n\n[profile.release]\ndebug = false\n";
        expect![[r#"
            [workspace]
            resolver = "3"
            members = ["runtime"]

            [workspace.package]
            version = "1"

            [workspace.dependencies]
            serde = "1"

            [profile.release]
            debug = false
        "#]]
        .assert_eq(&workspace(
            root,
            &["runtime"],
            &BTreeSet::from(["serde".to_owned()]),
        ));
    }
}
