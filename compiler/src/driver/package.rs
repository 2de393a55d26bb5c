//! The contents of an executable besides the graph: the files of the applications, the URIs of the children, and the hash
//! that identifies the whole.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    path::{Component, Path, PathBuf},
};

use crate::{
    codegen::{self, ChildUri, CompiledApp, CompiledBundle, CompiledCoordinator},
    diagnostics::Sink,
    driver::{
        Failure,
        application::{CompiledApplication, EntryDocument},
        digest::Digest,
        embedded::{self, EmbeddedFiles},
        locate::WORKFLOW_XML,
        read::Files,
        rust_file,
    },
    source::SourceMap,
};

/// The version of this compiler.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder for files of children from outside the application's folder. Hidden, so that no file of the application itself
/// can be there.
const CHILDREN_FOLDER: &str = ".children";

/// Everything of an application besides the model.
#[derive(Debug)]
pub struct Package {
    /// By path below the folder where the executable unpacks them.
    pub files: EmbeddedFiles,
    /// The documents that are not on disk, by their paths among the files.
    pub texts: BTreeMap<String, String>,
    /// Outputs of hpdlc itself in the folders, as messages show them: they are not part of the application.
    pub own_outputs: Vec<String>,
    /// The embedded folder of each document; "" for the program's own.
    folders: Vec<String>,
    /// The path of each document in the application: independent of the application's location and of who compiles it.
    pub sources: Vec<String>,
    /// The folders of the documents as messages show them, each with its folder among the embedded files.
    roots: Vec<(PathBuf, String)>,
    children: Vec<ChildUri>,
    /// 16 hex digits over all input and the version of the compiler.
    pub hash: String,
}

/// Collects the files of `application`, except `own_output`. Diagnostics about files are in the sink.
///
/// # Errors
///
/// A file that existed a moment ago cannot be read.
pub fn package(
    application: &CompiledApplication,
    own_output: Option<&Path>,
    files: &mut Files,
    sink: &mut Sink,
) -> Result<Package, Failure> {
    let content = collect_folders(application, own_output, files, sink);
    embedded::check_size(&content.files, &application.own().location.folder, sink);
    let packages = application.documents().filter_map(|document| {
        let in_memory = files.in_memory(&document.location.document)?;
        Some((
            plain(&in_memory.package.display().to_string()),
            String::new(),
        ))
    });
    let roots: Vec<(PathBuf, String)> = application
        .documents()
        .map(|document| plain(&document.location.shown(&document.location.folder)))
        .zip(content.folders.iter().cloned())
        .chain(packages)
        .collect();
    let sources = application
        .documents()
        .map(|document| path_inside(files.sources.path(document.file), &roots))
        .collect();
    let mut package = Package {
        files: content.files,
        texts: content.texts,
        own_outputs: content.own_outputs,
        folders: content.folders,
        sources,
        roots,
        children: uris(&application.uris),
        hash: String::new(),
    };
    if !sink.has_errors() {
        package.hash = package.hashed(application, files)?;
    }
    Ok(package)
}

/// The content of the folders of all documents.
struct DocumentFolders {
    files: EmbeddedFiles,
    texts: BTreeMap<String, String>,
    own_outputs: Vec<String>,
    /// The embedded folder of each document.
    folders: Vec<String>,
}

/// Reads the folder of each document; one inside of another's is part of that.
fn collect_folders(
    application: &CompiledApplication,
    own_output: Option<&Path>,
    files: &mut Files,
    sink: &mut Sink,
) -> DocumentFolders {
    let mut content = DocumentFolders {
        files: EmbeddedFiles::new(),
        texts: BTreeMap::new(),
        own_outputs: Vec::new(),
        folders: Vec::new(),
    };
    let mut canonical_roots: Vec<(PathBuf, String)> = Vec::new();
    for document in application.documents() {
        let root = canonical(&document.location.folder);
        let shared = canonical_roots
            .iter()
            .find_map(|(other, folder)| Some((folder, root.strip_prefix(other).ok()?)));
        if let Some((folder, rest)) = shared {
            content.folders.push(joined(folder, rest));
            continue;
        }
        let folder = if content.folders.is_empty() {
            String::new()
        } else {
            child_folder(&root, &content.folders)
        };
        if let Some(in_memory) = files.in_memory(&document.location.document) {
            let has_files = in_memory.has_files;
            let text = files.sources.text(document.file).to_owned();
            // A function of a Rust file has no name of its own among the files.
            let document = &document.location.document;
            let name = match rust_file::parts(document) {
                Some(_) => WORKFLOW_XML.as_ref(),
                None => document.file_name().unwrap_or_default(),
            };
            content.texts.insert(joined(&folder, Path::new(name)), text);
            if !has_files {
                content.folders.push(folder);
                continue;
            }
        }
        let found = embedded::of_location(document.location, own_output, files, sink);
        content.own_outputs.extend(found.own_outputs);
        for (path, file) in found.files {
            content
                .files
                .insert(joined(&folder, Path::new(&path)), file);
        }
        canonical_roots.push((root, folder.clone()));
        content.folders.push(folder);
    }
    content
}

impl Package {
    /// The files that were read, with their paths in the application instead of those on this machine: an executable
    /// contains no path of the machine that compiled it.
    pub fn sources_inside(&self, sources: SourceMap) -> SourceMap {
        sources.renamed(|shown| path_inside(shown, &self.roots))
    }

    /// The input of code generation; `sources` are those of [`Package::sources_inside`].
    pub fn codegen_input<'a>(
        &'a self,
        application: &'a CompiledApplication,
        sources: &'a SourceMap,
    ) -> codegen::Application<'a> {
        let mut places = self.folders.iter().zip(&self.sources);
        let mut next_place = || {
            let (folder, source) = places.next().expect("each document has a place");
            (folder.as_str(), source.as_str())
        };
        let bundle = match &application.entry {
            EntryDocument::Bundle {
                bundle,
                children,
                started,
            } => Some(CompiledBundle {
                app: &bundle.app,
                facts: &bundle.facts,
                source: next_place().1,
                children: uris(children),
                started: started.clone(),
            }),
            EntryDocument::Workflow | EntryDocument::Coordinator => None,
        };
        let coordinators = application.coordinators.iter().map(|scheduled| {
            let (folder, source) = next_place();
            CompiledCoordinator {
                app: &scheduled.checked.app,
                facts: &scheduled.checked.facts,
                included: &scheduled.checked.included,
                source,
                folder,
                workflows: scheduled
                    .workflows
                    .iter()
                    .map(|(uri, app)| ChildUri {
                        uri: uri.clone(),
                        app: *app,
                    })
                    .collect(),
            }
        });
        let coordinators = coordinators.collect();
        let apps = application.apps.iter().map(|app| {
            let (folder, source) = next_place();
            CompiledApp {
                app: &app.app,
                facts: &app.facts,
                source,
                folder,
            }
        });
        codegen::Application {
            hpdlc_version: VERSION,
            hash: &self.hash,
            sources,
            bundle,
            coordinators,
            apps: apps.collect(),
            children: self.children.clone(),
            files: self
                .files
                .iter()
                .map(|(path, file)| codegen::EmbeddedFile {
                    path: path.clone(),
                    source: absolute(&file.source),
                    is_executable: file.is_executable,
                })
                .collect(),
            texts: &self.texts,
        }
    }

    /// Makes the hash specific to `program`, which embeds the application: programs do not share jobs.
    pub fn bind_hash_to(&mut self, program: &str) {
        let mut digest = Digest::default();
        digest.field(&self.hash).field(program);
        self.hash = digest.finish();
    }

    /// The hash over all input and the version of the compiler, independent of the location of the application.
    fn hashed(&self, application: &CompiledApplication, files: &Files) -> Result<String, Failure> {
        let mut digest = Digest::default();
        digest.field(VERSION);
        for (document, folder) in application.documents().zip(&self.folders) {
            digest
                .field("app")
                .field(folder)
                .field(files.sources.text(document.file));
            let defaults = files.digest_of(&files.defaults(
                &document.location.document,
                document.location.below(document.defaults),
            ));
            digest.field(defaults.unwrap_or_default());
        }
        for scheduled in &application.coordinators {
            for file in &scheduled.checked.included.files {
                digest.field("include").field(files.sources.text(file.file));
            }
        }
        for (uri, app) in application.coordinators.iter().flat_map(|it| &it.workflows) {
            digest.field("workflow").field(uri).field(app.to_le_bytes());
        }
        if let EntryDocument::Bundle { children, .. } = &application.entry {
            for (uri, coordinator) in children {
                digest
                    .field("coordinator")
                    .field(uri)
                    .field(coordinator.to_le_bytes());
            }
        }
        for child in &self.children {
            digest
                .field("child")
                .field(&child.uri)
                .field(child.app.to_le_bytes());
        }
        for (path, file) in &self.files {
            let bytes = std::fs::read(&file.source)
                .map_err(|error| Failure::io("read", &file.source, &error))?;
            digest
                .field("file")
                .field(path)
                .field([u8::from(file.is_executable)])
                .field(bytes);
        }
        Ok(digest.finish())
    }
}

fn uris(app_by_uri: &BTreeMap<String, usize>) -> Vec<ChildUri> {
    let uri = |(uri, app): (&String, &usize)| ChildUri {
        uri: uri.clone(),
        app: *app,
    };
    app_by_uri.iter().map(uri).collect()
}

/// The maximum length of a program's name in bytes: names of files consist of it and a suffix.
const MAX_NAME: usize = 100;

/// The name of the program: that of the application unless it is an expression, else of its folder. Valid as a file name.
pub fn program_name(application: &CompiledApplication) -> String {
    let own = application.own();
    let folder = || {
        let name = match &own.location.archive {
            Some(archive) => archive.path().file_stem().map(OsStr::to_owned),
            None => canonical(&own.location.folder)
                .file_name()
                .map(OsStr::to_owned),
        };
        name.map(|name| name.to_string_lossy().into_owned())
    };
    let name = own
        .name
        .literal()
        .map(str::to_owned)
        .or_else(folder)
        .unwrap_or_default();
    let name: String = name
        .trim()
        .chars()
        .map(|char| {
            if char.is_alphanumeric() || "._-".contains(char) {
                char
            } else {
                '-'
            }
        })
        .collect();
    let name = name.trim_matches(['.', '-']);
    let name = name[..name.floor_char_boundary(MAX_NAME)].trim_end_matches(['.', '-']);
    if name.is_empty() {
        "workflow".to_owned()
    } else {
        name.to_owned()
    }
}

/// The embedded folder for the files of a child from elsewhere, named after it.
fn child_folder(root: &Path, taken: &[String]) -> String {
    let name = root
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("child");
    (1_u32..)
        .map(|number| match number {
            1 => format!("{CHILDREN_FOLDER}/{name}"),
            number => format!("{CHILDREN_FOLDER}/{name}-{number}"),
        })
        .find(|folder| !taken.contains(folder))
        .expect("there are fewer children than numbers")
}

/// The path in the application of a file that messages show as `shown`; for one from elsewhere only its name.
fn path_inside(shown: &str, roots: &[(PathBuf, String)]) -> String {
    let path = plain(shown);
    let inside = roots
        .iter()
        .filter_map(|(root, folder)| Some((root, folder, path.strip_prefix(root).ok()?)))
        .filter(|(root, _, _)| root.is_absolute() == path.is_absolute())
        .max_by_key(|(root, _, _)| root.components().count());
    match inside {
        Some((_, folder, rest)) => joined(folder, rest),
        None => path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    }
}

/// A path without its `.` components.
fn plain(shown: &str) -> PathBuf {
    let parts = Path::new(shown).components();
    parts
        .filter(|part| !matches!(part, Component::CurDir))
        .collect()
}

/// The path `rest` in an embedded folder, with `/`.
fn joined(folder: &str, rest: &Path) -> String {
    let parts = rest.iter().map(|part| part.to_string_lossy().into_owned());
    std::iter::once(folder.to_owned())
        .filter(|folder| !folder.is_empty())
        .chain(parts)
        .collect::<Vec<_>>()
        .join("/")
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| absolute(path))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_inside_do_not_tell_where_an_application_lies() {
        let roots = |root: &str| {
            vec![
                (plain(root), String::new()),
                (plain("/common/child"), ".children/child".to_owned()),
            ]
        };
        for (root, shown, expected) in [
            (
                "/home/ada/app",
                "/home/ada/app/workflow.xml",
                "workflow.xml",
            ),
            ("app", "app/sub/workflow.xml", "sub/workflow.xml"),
            ("./app/", "app/workflow.xml", "workflow.xml"),
            (".", "workflow.xml", "workflow.xml"),
            (".", "./sub/workflow.xml", "sub/workflow.xml"),
            ("..", "../workflow.xml", "workflow.xml"),
            ("app.zip", "app.zip/workflow.xml", "workflow.xml"),
            (
                "app",
                "/common/child/workflow.xml",
                ".children/child/workflow.xml",
            ),
            // Below neither of them.
            ("app", "/home/ada/shared/datasets.xml", "datasets.xml"),
            (".", "/home/ada/shared/datasets.xml", "datasets.xml"),
            ("app", "../shared/datasets.xml", "datasets.xml"),
        ] {
            assert_eq!(path_inside(shown, &roots(root)), expected, "{root} {shown}");
        }
    }
}
