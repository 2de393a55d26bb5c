//! The generated code, byte for byte: each case is an application and its expected crate.
//!
//! The crates are members of the workspace, so that `cargo check --workspace` shows whether they compile.
//! `UPDATE_EXPECT=1` rewrites them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use expect_test::expect_file;
use hpdlc::{
    build,
    driver::{
        application::{self, Arguments, CompiledApplication, EntryDocument, Session},
        emitted::{self, EmittedCrate, RuntimeFrom},
        package::{self, Package},
    },
    rules::RULES,
    source::SourceMap,
};

/// Replaces the hash of a definition, which changes with its files.
const HASH: &str = "0123456789abcdef";

/// Reads a case as `hpdlc emit` does.
fn read(name: &str) -> (CompiledApplication, Package, SourceMap) {
    // Relative, so that messages and tables name files the same everywhere.
    let path = Path::new("golden").join(name);
    let mut session = Session::new(&Arguments::new(RULES));
    let application = application::load(&path, &mut session);
    let package = application.as_ref().map(|application| {
        package::package(application, None, &mut session.files, &mut session.sink)
            .expect("its files can be read")
    });
    let has_errors = session.sink.has_errors();
    let (diagnostics, sources) = session.finish();
    let messages: Vec<&String> = diagnostics.iter().map(|found| &found.message).collect();
    let (Some(application), Some(mut package), false) = (application, package, has_errors) else {
        panic!("case {name} has errors among: {messages:#?}");
    };
    package.hash = HASH.to_owned();
    (application, package, sources)
}

/// The crate of a case.
fn generate(name: &str) -> EmittedCrate {
    let (application, mut package, sources) = read(name);
    let is_workflow = matches!(application.entry, EntryDocument::Workflow);
    if is_workflow {
        // The names of a workflow's files start with the folder of the case.
        for source in &mut package.sources {
            *source = format!("{name}/{source}");
        }
    }
    let sources = sources.renamed(|shown| match shown.strip_prefix("golden/") {
        Some(inside) if is_workflow => inside.to_owned(),
        Some(_) | None => shown.to_owned(),
    });
    let name = format!("golden-{name}");
    let known_by = (name.as_str(), package.sources[0].as_str());
    let runtime = RuntimeFrom::Workspace;
    emitted::crate_of(&application, &package, &sources, known_by, runtime)
}

/// All files of a crate, by path.
fn texts(expected: EmittedCrate) -> BTreeMap<String, String> {
    let EmittedCrate {
        generated,
        manifest,
        readme,
    } = expected;
    let mut texts: BTreeMap<String, String> = generated
        .files
        .iter()
        .map(|(path, file)| (path.clone(), file.text()))
        .collect();
    for (path, source) in &generated.copies {
        let text = fs::read_to_string(source).expect("the file has just been listed");
        texts.insert(path.clone(), text);
    }
    texts.insert("Cargo.toml".to_owned(), manifest);
    texts.insert("README.md".to_owned(), readme);
    texts
}

fn folder(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(case)
}

/// All files, sorted by their path.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return files;
    };
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn relative(folder: &Path, path: &Path) -> String {
    let path = path
        .strip_prefix(folder)
        .expect("the path lies below the folder");
    path.to_str()
        .expect("the repository's names are ASCII")
        .replace('\\', "/")
}

#[track_caller]
fn check(name: &str) {
    let texts = texts(generate(name));
    let expected = folder(name).join("expected");
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    for (path, text) in &texts {
        let file = expected.join(path);
        if is_update {
            let parent = file.parent().expect("it lies below the case");
            fs::create_dir_all(parent).expect("the folder can be made");
        }
        expect_file![file].assert_eq(text);
    }
    let generated: BTreeSet<&str> = texts.keys().map(String::as_str).collect();
    let left_over: Vec<PathBuf> = files_below(&expected)
        .into_iter()
        .filter(|path| !generated.contains(relative(&expected, path).as_str()))
        .collect();
    if is_update {
        for path in &left_over {
            fs::remove_file(path).expect("the file can be removed");
        }
    } else {
        assert!(left_over.is_empty(), "no longer generated: {left_over:?}");
    }
}

#[test]
fn hello() {
    check("hello");
}

#[test]
fn hazards() {
    check("hazards");
}

#[test]
fn bundled() {
    check("bundled");
}

#[test]
fn same_input_gives_the_same_output() {
    let (first, second) = (generate("hazards"), generate("hazards"));
    let fingerprints = |generated: &EmittedCrate| -> Vec<u64> {
        let files = generated.generated.files.values();
        files.map(|file| file.fingerprint()).collect()
    };
    assert_eq!(fingerprints(&first), fingerprints(&second));
    assert_eq!(texts(first), texts(second));
}

/// A text without what formatting may change: an arm on several lines gets braces.
fn condensed(text: &str) -> String {
    text.replace("///", "//")
        .chars()
        .filter(|character| !character.is_whitespace() && ![',', '{', '}'].contains(character))
        .collect()
}

#[test]
fn inline_form_holds_every_item_of_the_crate() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let embedded = build::embed(package, Path::new("golden/hazards"));
    let embedded = embedded.expect("the case has no errors");
    let inline = embedded.file().text();
    let (_, hash) = inline.split_once("hash: \"").expect("it has a hash");
    let inline = condensed(&inline.replace(&hash[..HASH.len()], HASH));
    let files = format!("{}/", folder("hazards").display());
    let (application, package, sources) = read("hazards");
    let sources = package.sources_inside(sources);
    let runtime = RuntimeFrom::Workspace;
    let expected = emitted::crate_of(&application, &package, &sources, ("", ""), runtime);
    for (path, file) in expected.generated.files {
        if path == "src/main.rs" {
            continue;
        }
        let text = file.text().replace("../../app/", &files);
        let items = text
            .split("\n\n")
            .filter(|item| !item.starts_with("// ") && !item.contains("mod "));
        for item in items {
            assert!(inline.contains(&condensed(item)), "{path}: {item}");
        }
    }
}
