//! What is generated, to the last byte: each case is an application and the crate that it becomes.
//!
//! The crates are members of the workspace, so that `cargo check --workspace` says whether rustc takes them.
//! `UPDATE_EXPECT=1` writes them anew.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use expect_test::expect_file;
use hpdlc::{
    analysis::{self, Facts, JobProperties},
    codegen::{
        self, Application, ChildUri, CompiledApp, EmbeddedFile, FilePaths, GeneratedCrate,
        Interface, Options,
        manifest::{self, Manifest, RuntimeFrom},
    },
    diagnostics::Sink,
    driver::{
        application::{self, Arguments, Session},
        package,
    },
    lower,
    model::WorkflowApp,
    rules::RULES,
    source::SourceMap,
    syntax::xml,
};

/// A case's folder, read and analysed.
struct Case {
    name: &'static str,
    sources: SourceMap,
    /// Folder below the case, model and facts; the case's own first.
    apps: Vec<(String, WorkflowApp, Facts)>,
    files: Vec<EmbeddedFile>,
}

impl Case {
    fn read(name: &'static str) -> Case {
        let folder = folder(name);
        let mut case = Case {
            name,
            sources: SourceMap::default(),
            apps: Vec::new(),
            files: Vec::new(),
        };
        for path in files_below(&folder) {
            let path_in_case = relative(&folder, &path);
            if path_in_case.starts_with("expected/") || path_in_case == "rustfmt.toml" {
                continue;
            }
            if let Some(app_folder) = path_in_case.strip_suffix("workflow.xml") {
                let app_folder = app_folder.trim_end_matches('/').to_owned();
                let (app, facts) = case.compile(&app_folder);
                case.apps.push((app_folder, app, facts));
            }
            let is_executable = path_in_case.ends_with(".sh");
            case.files.push(EmbeddedFile {
                path: path_in_case,
                source: path,
                is_executable,
            });
        }
        case.apps.sort_by(|left, right| left.0.cmp(&right.0));
        case
    }

    /// The model and the facts of the workflow in a folder, which has no errors.
    fn compile(&mut self, app_folder: &str) -> (WorkflowApp, Facts) {
        let mut sink = Sink::default();
        let root = folder(self.name);
        let mut read = |file_name: &str| {
            let path = Path::new(app_folder).join(file_name);
            let text = fs::read_to_string(root.join(&path)).ok()?;
            let given = Path::new(self.name).join(path).display().to_string();
            Some((self.sources.add(given, text.clone()), text))
        };
        let (file, text) = read("workflow.xml").expect("the case has a workflow.xml");
        let defaults = read("config-default.xml");
        let tree = xml::parse(file, &text, &mut sink).expect("the case is well-formed");
        let defaults = defaults.as_ref().map(|(file, text)| {
            xml::parse(*file, text, &mut sink).expect("the case's defaults are well-formed")
        });
        let app = lower::workflow(&tree, defaults.as_ref(), &mut sink).expect("it is a workflow");
        let facts = analysis::workflow(&app, &JobProperties::default(), &mut sink);
        let has_errors = sink.has_errors();
        let messages: Vec<String> = sink
            .into_sorted()
            .into_iter()
            .map(|diagnostic| diagnostic.message)
            .collect();
        assert!(
            !has_errors,
            "case {} has errors among: {messages:#?}",
            self.name
        );
        (app, facts)
    }

    fn application(&self) -> Application<'_> {
        let apps = self
            .apps
            .iter()
            .map(|(app_folder, app, facts)| CompiledApp {
                app,
                facts,
                source: self.sources.path(app.file),
                folder: app_folder,
            });
        let children = (1..)
            .zip(&self.apps[1..])
            .map(|(app, (app_folder, _, _))| ChildUri {
                uri: format!("${{wf:appPath()}}/{app_folder}"),
                app,
            });
        Application {
            hpdlc_version: "0.1.0",
            hash: "0123456789abcdef",
            sources: &self.sources,
            bundle: None,
            coordinators: Vec::new(),
            apps: apps.collect(),
            children: children.collect(),
            files: self.files.clone(),
        }
    }

    fn generate(&self) -> GeneratedCrate {
        codegen::generate(
            &self.application(),
            &Options {
                files: FilePaths::Beside,
                interface: Interface::Library,
            },
        )
    }

    /// Every text of the expected crate by its path.
    fn texts(&self) -> BTreeMap<String, String> {
        let generated = self.generate();
        let mut texts: BTreeMap<String, String> = generated
            .files
            .iter()
            .map(|(path, file)| (path.clone(), file.text()))
            .collect();
        for (path, source) in &generated.copies {
            let text = fs::read_to_string(source).expect("the file has just been listed");
            texts.insert(path.clone(), text);
        }
        let own = &self.apps[0];
        let manifest = Manifest {
            hpdlc_version: "0.1.0",
            name: &format!("golden-{}", self.name),
            source: self.sources.path(own.1.file),
            runtime: RuntimeFrom::Workspace,
            has_files: true,
            properties: &own.2.properties,
        };
        texts.insert("Cargo.toml".to_owned(), manifest::cargo_toml(&manifest));
        texts.insert("README.md".to_owned(), manifest::readme(&manifest));
        texts
    }
}

/// Every text of the crate of a bundle or a coordinator, which is read as `hpdlc emit` reads it.
fn scheduled_texts(name: &str) -> BTreeMap<String, String> {
    // Relative, so that messages and tables name files the same everywhere.
    let path = Path::new("golden").join(name);
    let mut session = Session::new(&Arguments::new(RULES));
    let application = application::load(&path, &mut session);
    let package = application.as_ref().map(|application| {
        package::package(application, None, &mut session.files, &mut session.sink)
            .expect("its files can be read")
    });
    let (diagnostics, sources) = session.finish();
    let messages: Vec<&String> = diagnostics.iter().map(|found| &found.message).collect();
    let (Some(application), Some(package)) = (application, package) else {
        panic!("case {name} has errors among: {messages:#?}");
    };
    let mut input = package.to_generate(&application, &sources);
    input.hpdlc_version = "0.1.0";
    input.hash = "0123456789abcdef";
    let options = Options {
        files: FilePaths::Beside,
        interface: Interface::Library,
    };
    let generated = codegen::generate(&input, &options);
    let mut texts: BTreeMap<String, String> = generated
        .files
        .iter()
        .map(|(path, file)| (path.clone(), file.text()))
        .collect();
    for (path, source) in &generated.copies {
        let text = fs::read_to_string(source).expect("the file has just been listed");
        texts.insert(path.clone(), text);
    }
    let manifest = Manifest {
        hpdlc_version: "0.1.0",
        name: &format!("golden-{name}"),
        source: input.source(),
        runtime: RuntimeFrom::Workspace,
        has_files: true,
        properties: &input.properties(),
    };
    texts.insert("Cargo.toml".to_owned(), manifest::cargo_toml(&manifest));
    texts.insert("README.md".to_owned(), manifest::readme(&manifest));
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
fn check(name: &'static str) {
    check_texts(name, Case::read(name).texts());
}

#[track_caller]
fn check_texts(name: &str, texts: BTreeMap<String, String>) {
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
    check_texts("bundled", scheduled_texts("bundled"));
}

#[test]
fn same_input_gives_the_same_output() {
    let (first, second) = (Case::read("hazards"), Case::read("hazards"));
    assert_eq!(first.texts(), second.texts());
    let fingerprints = |case: &Case| -> Vec<u64> {
        case.generate()
            .files
            .values()
            .map(codegen::GeneratedFile::fingerprint)
            .collect()
    };
    assert_eq!(fingerprints(&first), fingerprints(&second));
}

/// What stands in a text, without what layout may change: an arm that needs several lines gets braces.
fn condensed(text: &str) -> String {
    text.chars()
        .filter(|character| !character.is_whitespace() && ![',', '{', '}'].contains(character))
        .collect()
}

#[test]
fn inline_form_holds_every_item_of_the_crate() {
    let case = Case::read("hazards");
    let options = Options {
        files: FilePaths::Beside,
        interface: Interface::Library,
    };
    let inline = condensed(&codegen::generate_inline_file(&case.application(), &options).text());
    for (path, file) in case.generate().files {
        if path == "src/main.rs" {
            continue;
        }
        let text = file.text();
        let items = text
            .split("\n\n")
            .filter(|item| !item.starts_with("// ") && !item.contains("mod "));
        for item in items {
            assert!(inline.contains(&condensed(item)), "{path}: {item}");
        }
    }
}
