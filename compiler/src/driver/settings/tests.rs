use expect_test::{Expect, expect};

use super::*;
use crate::{diagnostics::render::short, rules::RULES, source::SourceMap};

/// The settings of a text, and its mistakes.
#[track_caller]
fn check(text: &str, expect: Expect) {
    let mut sources = SourceMap::default();
    let file = sources.add("up/hpdl.toml".to_owned(), text.to_owned());
    let (settings, diagnostics) = parse(RULES, file, Path::new("up/hpdl.toml"), None, text);
    let mut shown = String::new();
    for (lint, level) in &settings.lints {
        shown.push_str(&format!("{lint}: {level:?}\n"));
    }
    for mapping in &settings.mappings {
        shown.push_str(&format!("{mapping:?}\n"));
    }
    for diagnostic in &diagnostics {
        let place = sources.snippet(diagnostic.span().expect("each has a place"));
        shown.push_str(&format!(
            "{} at {place:?}\n",
            short::render(diagnostic, &sources)
        ));
    }
    expect.assert_eq(&shown);
}

#[test]
fn lints_get_levels_and_uris_folders() {
    check(
        "\u{feff}[lints]\nunreachable-nodes = \"allow\"\nwarnings = 'deny'\n\n[map]\n\"hdfs://nn/apps/\" = \"../apps\"\n\"s3a://b\" = \"/abs\"\n",
        expect![[r#"
            unreachable_nodes: Allow
            warnings: Deny
            Mapping { prefix: "hdfs://nn/apps", kept: "hdfs://nn/apps", folder: "up/../apps", archive: None, is_guess: false }
            Mapping { prefix: "s3a://b", kept: "s3a://b", folder: "/abs", archive: None, is_guess: false }
        "#]],
    );
    check("", expect![[r#""#]]);
}

#[test]
fn mistakes_have_their_places() {
    check(
        "\u{feff}[lints\n",
        expect![[r#"
        up/hpdl.toml:1:7: error[H0007]: `hpdl.toml` cannot be read at ""
    "#]],
    );
    check(
        "[lints]\nunreachable_node = \"allow\"\nunreachable_nodes = \"alow\"\nunused_parameters = true\n",
        expect![[r#"
            up/hpdl.toml:2:1: warning[unknown_lints]: unknown lint `unreachable_node` at "unreachable_node"
            up/hpdl.toml:3:21: error[H0007]: unknown level `alow` for a lint at "\"alow\""
            up/hpdl.toml:4:21: error[H0007]: a setting has the wrong type at "true"
        "#]],
    );
    check(
        "lints = 1\n[mapp]\n\"a\" = 1\n[other]\n",
        expect![[r#"
        up/hpdl.toml:1:9: error[H0007]: a setting has the wrong type at "1"
        up/hpdl.toml:2:2: warning[unknown_settings]: unknown setting `mapp` at "mapp"
        up/hpdl.toml:4:2: warning[unknown_settings]: unknown setting `other` at "other"
    "#]],
    );
    check(
        "[map]\n\"hdfs://nn\" = \"\"\n\"s3a://b\" = [1]\n",
        expect![[r#"
            up/hpdl.toml:2:15: error[H0007]: a mapping in `hpdl.toml` is empty at "\"\""
            up/hpdl.toml:3:13: error[H0007]: a setting has the wrong type at "[1]"
        "#]],
    );
    check(
        "[lints]\nunreachable_nodes = \"allow\"\nunreachable_nodes = \"warn\"\n",
        expect![[r#"
            up/hpdl.toml:3:1: error[H0007]: `hpdl.toml` cannot be read at "unreachable_nodes"
        "#]],
    );
}

#[test]
fn nearest_file_counts() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let put =
        |path: &str| crate::driver::writer::replace(&root.path().join(path), b"").expect("writes");
    put("a/hpdl.toml");
    put("a/b/c/workflow.xml");
    put("a/b/d/hpdl.toml");
    let nearest = |folder: &str| nearest_file(&root.path().join(folder));
    assert_eq!(nearest("a/b/c"), Some(root.path().join("a/hpdl.toml")));
    assert_eq!(nearest("a/b/d"), Some(root.path().join("a/b/d/hpdl.toml")));
    let found = nearest("a/b/d/../c").expect("there is one");
    assert_eq!(
        found,
        root.path()
            .canonicalize()
            .expect("exists")
            .join("a/hpdl.toml")
    );
}

#[test]
fn relative_folders_go_on_above_the_current_one() {
    let here = env::current_dir().expect("there is one");
    let upwards: Vec<PathBuf> = folders_upwards(Path::new("./a/b")).collect();
    let above = here.ancestors().skip(1).map(Path::to_owned);
    let expected: Vec<PathBuf> = ["a/b", "a", ""]
        .map(PathBuf::from)
        .into_iter()
        .chain(above)
        .collect();
    assert_eq!(upwards, expected);
    let at_root: Vec<PathBuf> = folders_upwards(Path::new("/a")).collect();
    assert_eq!(at_root, ["/a", "/"].map(PathBuf::from));
}
