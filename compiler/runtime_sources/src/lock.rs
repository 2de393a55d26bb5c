//! Prunes our `Cargo.lock` to what the packed members depend on, so that cargo accepts it unchanged (`--locked`) and offline.

use std::collections::{BTreeMap, BTreeSet};

/// One `[[package]]` of the lock file.
struct Package {
    name: String,
    version: String,
    text: String,
    /// Each as cargo writes it: `name`, or `name version` where several versions exist.
    dependencies: Vec<String>,
}

/// The lock file of a workspace of just `members`, each given with the dependencies that it loses.
pub fn pruned(lock: &str, members: &[(&str, BTreeSet<String>)]) -> String {
    let mut blocks = lock.split("\n[[package]]\n");
    let head = blocks.next().unwrap_or_default();
    let packages: Vec<Package> = blocks.map(|block| parse_package(block, members)).collect();
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, package) in packages.iter().enumerate() {
        by_name.entry(&package.name).or_default().push(index);
    }
    let mut reached = BTreeSet::new();
    let mut pending: Vec<usize> = members
        .iter()
        .flat_map(|(name, _)| by_name.get(name).into_iter().flatten().copied())
        .collect();
    while let Some(index) = pending.pop() {
        if !reached.insert(index) {
            continue;
        }
        for dependency in &packages[index].dependencies {
            let mut fields = dependency.split(' ');
            let name = fields.next().unwrap_or_default();
            let version = fields.next();
            pending.extend(
                by_name
                    .get(name)
                    .into_iter()
                    .flatten()
                    .copied()
                    .filter(|index| {
                        version.is_none_or(|version| packages[*index].version == version)
                    }),
            );
        }
    }
    let mut n_versions: BTreeMap<&str, usize> = BTreeMap::new();
    for index in &reached {
        *n_versions.entry(&packages[*index].name).or_default() += 1;
    }
    let mut text = format!("{}\n", head.trim_end());
    for index in reached {
        text.push_str("\n[[package]]\n");
        for line in packages[index].text.lines() {
            text.push_str(&without_needless_version(line, &n_versions));
            text.push('\n');
        }
    }
    text
}

/// A line without the version of the dependency, if only one remains: cargo writes versions only where the lock file has several.
fn without_needless_version(line: &str, n_versions: &BTreeMap<&str, usize>) -> String {
    let Some(name) = line
        .strip_prefix(" \"")
        .and_then(|rest| rest.split([' ', '"']).next())
    else {
        return line.to_owned();
    };
    if n_versions.get(name) == Some(&1) {
        format!(" \"{name}\",")
    } else {
        line.to_owned()
    }
}

/// Reads the block of a package, and drops from it the dependencies that a member loses.
fn parse_package(block: &str, members: &[(&str, BTreeSet<String>)]) -> Package {
    let field = |key: &str| {
        block
            .lines()
            .find_map(|line| {
                line.strip_prefix(key)?
                    .strip_prefix(" = \"")?
                    .strip_suffix('"')
            })
            .unwrap_or_default()
            .to_owned()
    };
    let name = field("name");
    let dropped = members
        .iter()
        .find(|(member, _)| *member == name)
        .map(|(_, dropped)| dropped);
    let mut text = String::new();
    let mut dependencies = Vec::new();
    for line in block.trim_end().lines() {
        if let Some(dependency) = line
            .strip_prefix(" \"")
            .and_then(|rest| rest.strip_suffix("\","))
        {
            let dependency_name = dependency.split(' ').next().unwrap_or_default();
            if dropped.is_some_and(|dropped| dropped.contains(dependency_name)) {
                continue;
            }
            dependencies.push(dependency.to_owned());
        }
        text.push_str(line);
        text.push('\n');
    }
    Package {
        version: field("version"),
        name,
        text,
        dependencies,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn what_no_member_reaches_is_dropped() {
        let lock = r#"# head
version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "base 2.0.0",
 "expect",
]

[[package]]
name = "base"
version = "1.0.0"

[[package]]
name = "base"
version = "2.0.0"
source = "registry"

[[package]]
name = "expect"
version = "1.0.0"
dependencies = [
 "base 1.0.0",
]

[[package]]
name = "other"
version = "1.0.0"
"#;
        expect![[r#"
            # head
            version = 4

            [[package]]
            name = "app"
            version = "0.1.0"
            dependencies = [
             "base",
            ]

            [[package]]
            name = "base"
            version = "2.0.0"
            source = "registry"
        "#]]
        .assert_eq(&pruned(
            lock,
            &[("app", BTreeSet::from(["expect".to_owned()]))],
        ));
    }
}
