//! Cuts our own manifests down to the runtime. They are read line by line: an entry a line is how we write them, and the
//! build stops where that does not hold.

use std::collections::BTreeSet;

/// A member's manifest without what the packed package does not need.
pub struct Member {
    pub text: String,
    /// Names of its dependencies.
    pub dependencies: BTreeSet<String>,
    /// Names of the dependencies that it has lost altogether.
    pub lost: BTreeSet<String>,
}

/// Drops `[dev-dependencies]` and the sections of tests and benchmarks.
pub fn member(text: &str) -> Member {
    cut(text, false)
}

/// Drops the programs and the optional dependencies as well. The features stay, and switch nothing on.
pub fn library(text: &str) -> Member {
    cut(text, true)
}

fn cut(text: &str, is_library: bool) -> Member {
    let mut kept = String::new();
    let mut dependencies = BTreeSet::new();
    let mut lost = BTreeSet::new();
    for (section, line) in lines(text) {
        let mut is_kept = match section {
            "dev-dependencies" | "[test]" | "[bench]" | "[example]" => false,
            "[bin]" => !is_library,
            _ => true,
        };
        let mut line = line.to_owned();
        if let Some(name) = entry(&line).map(str::to_owned) {
            match section {
                "dependencies" if is_library && line.contains("optional = true") => {
                    is_kept = false;
                    lost.insert(name);
                }
                "dependencies" | "build-dependencies" => drop(dependencies.insert(name)),
                "dev-dependencies" => drop(lost.insert(name)),
                "features" if is_library => line = format!("{name} = []"),
                _ => {}
            }
        }
        if is_kept {
            kept.push_str(&line);
            kept.push('\n');
        }
    }
    lost.retain(|name| !dependencies.contains(name));
    Member {
        text: kept,
        dependencies,
        lost,
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
        assert_eq!(member.lost.into_iter().collect::<Vec<_>>(), ["d"]);
    }

    #[test]
    fn a_library_has_no_programs_and_nothing_optional() {
        let library = library(
            "[features]\ndefault = [\"cli\"]\ncli = [\"dep:b\", \"a/c\"]\n\n[[bin]]\nname = \"p\"\n\n\
             [dependencies]\na.workspace = true\nb = { workspace = true, optional = true }\n",
        );
        expect![[r#"
            [features]
            default = []
            cli = []

            [dependencies]
            a.workspace = true
        "#]]
        .assert_eq(&library.text);
        assert_eq!(library.dependencies.into_iter().collect::<Vec<_>>(), ["a"]);
        assert_eq!(library.lost.into_iter().collect::<Vec<_>>(), ["b"]);
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
