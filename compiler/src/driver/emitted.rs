//! `hpdlc emit`: the generated crate with the runtime's sources beside it, for people who read, extend or vendor it.
//!
//! A second `emit` into the same folder replaces what the first one wrote and leaves everything else alone; the list of
//! written files is stored in the folder, with a digest of each, so that nothing is lost that somebody has changed since.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

pub use crate::codegen::manifest::RuntimeFrom;
use crate::{
    analysis::FeatureSet,
    codegen::{
        self, FilePaths, GeneratedCrate, Interface,
        deployment::{self, Deployment, DeploymentTarget},
        manifest::{self, Manifest},
    },
    driver::{
        Failure,
        application::{CompiledApplication, EntryDocument},
        digest,
        embedded::own_outputs,
        package::{self, Package, VERSION},
        writer,
    },
    source::SourceMap,
};

/// The list of written files: on each line a digest of the content, if it is known, and the path.
const LIST: &str = own_outputs::EMITTED;

/// An application's crate, without the sources of the runtime.
#[derive(Debug)]
pub struct EmittedCrate {
    pub generated: GeneratedCrate,
    /// `Cargo.toml`
    pub manifest: String,
    /// `README.md`
    pub readme: String,
}

/// What an executable is deployed with.
#[derive(Debug)]
pub struct EmittedDeployment {
    pub targets: Vec<DeploymentTarget>,
    /// The executable, which is copied.
    pub executable: PathBuf,
}

/// The folder of a crate with what its executable is deployed with.
const DEPLOYMENT: &str = "deploy";

/// Writes the crate to `folder`, and returns the name of its package.
///
/// # Errors
///
/// The folder contains files that `emit` did not write or that were changed since, or cannot be written.
pub fn emit(
    application: &CompiledApplication,
    package: &Package,
    sources: &SourceMap,
    features: FeatureSet,
    deployment: Option<&EmittedDeployment>,
    folder: &Path,
) -> Result<String, Failure> {
    if let Some(extension) = application.extensions()?.first() {
        return Err(Failure::new(format!(
            "`emit` cannot write an application with extensions yet, and this one uses `{}`",
            extension.name
        ))
        .note("the crate has the runtime's sources beside it, and an extension has those of its `hpdlc-flow`")
        .help("make the executable with `hpdlc build`, or compile the application into a program of your own, with `include_workflow!`"));
    }
    let earlier = earlier_files(folder)?;
    let name = package::program_name(application);
    let package_name = manifest::package_name(&name);
    let location = application.own().location;
    let source = location.shown(&location.document);
    let runtime = RuntimeFrom::Beside {
        workspace: bundled_text("Cargo.toml"),
        features,
    };
    let EmittedCrate {
        generated,
        manifest,
        readme,
    } = crate_of(application, package, sources, (&name, &source), runtime);
    let mut texts: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (path, bytes) in hpdlc_runtime_sources::FILES {
        texts.insert((*path).to_owned(), bytes.to_vec());
    }
    texts.insert("Cargo.toml".to_owned(), manifest.into_bytes());
    texts.insert(
        "Cargo.lock".to_owned(),
        lock(bundled_text("Cargo.lock"), &package_name).into_bytes(),
    );
    texts.insert("README.md".to_owned(), readme.into_bytes());
    texts.insert(".gitignore".to_owned(), b"/target\n".to_vec());
    for (path, file) in &generated.files {
        texts.insert(path.clone(), file.text().into_bytes());
    }
    let mut executable = None;
    if let Some(deployment) = deployment {
        let deployed = deployment::deployed_name(&name);
        let input = package.codegen_input(application, sources);
        let files = deployment::files(&Deployment {
            hpdlc_version: VERSION,
            name: &deployed,
            is_scheduled: !matches!(application.entry, EntryDocument::Workflow),
            properties: &input.properties(),
            targets: &deployment.targets,
        });
        for (file, text) in files {
            texts.insert(format!("{DEPLOYMENT}/{file}"), text.into_bytes());
        }
        executable = Some((format!("{DEPLOYMENT}/{deployed}"), &deployment.executable));
    }
    let copies = generated.copies.iter().map(|(path, source)| {
        let bytes = fs::read(source).map_err(|error| Failure::io("read", source, &error))?;
        Ok((path.clone(), bytes))
    });
    texts.extend(copies.collect::<Result<Vec<_>, Failure>>()?);
    refuse_changed(folder, &earlier, &texts)?;
    let written: BTreeSet<&str> = texts
        .keys()
        .chain(executable.iter().map(|(path, _)| path))
        .map(String::as_str)
        .collect();
    // The list is written first, so that the folder is recognized even after a failure; what a file contains is not known then.
    let list: String = written
        .iter()
        .copied()
        .chain(earlier.keys().map(String::as_str))
        .fold(String::new(), |list, path| list + path + "\n");
    put(folder, LIST, list.as_bytes())?;
    for (path, bytes) in &texts {
        put(folder, path, bytes)?;
    }
    if let Some((path, source)) = &executable {
        let path = folder.join(path);
        writer::install(source, &path).map_err(|error| Failure::io("write", &path, &error))?;
    }
    for path in earlier
        .keys()
        .filter(|path| !written.contains(path.as_str()))
    {
        // The file may have been removed already.
        drop(fs::remove_file(folder.join(path)));
    }
    let list: String = written
        .iter()
        .map(|path| match texts.get(*path) {
            // Cargo may write it.
            Some(bytes) if *path != "Cargo.lock" => format!("{} {path}\n", digest::of(bytes)),
            _ => format!("{path}\n"),
        })
        .collect();
    put(folder, LIST, list.as_bytes())?;
    Ok(package_name)
}

/// The crate of an application, with its `name` and its document, `source`. `sources` are those of
/// [`Package::sources_inside`].
pub fn crate_of(
    application: &CompiledApplication,
    package: &Package,
    sources: &SourceMap,
    (name, source): (&str, &str),
    runtime: RuntimeFrom<'_>,
) -> EmittedCrate {
    let input = package.codegen_input(application, sources);
    let options = codegen::Options {
        files: FilePaths::Beside,
        interface: Interface::Library,
    };
    let manifest = Manifest {
        hpdlc_version: VERSION,
        name,
        source,
        runtime,
        has_files: !package.files.is_empty(),
        properties: &input.properties(),
    };
    EmittedCrate {
        generated: codegen::generate(&input, &options),
        manifest: manifest::cargo_toml(&manifest),
        readme: manifest::readme(&manifest),
    }
}

/// How many changed files a refusal names.
const MOST_NAMED: usize = 5;

/// Refuses to overwrite or remove what somebody has changed since an earlier `emit` wrote it, unless it is what would be written now.
fn refuse_changed(
    folder: &Path,
    earlier: &BTreeMap<String, Option<String>>,
    texts: &BTreeMap<String, Vec<u8>>,
) -> Result<(), Failure> {
    let is_changed = |(path, known): &(&String, &Option<String>)| {
        // A file that was removed is written again.
        let (Some(known), Ok(bytes)) = (known, fs::read(folder.join(path))) else {
            return false;
        };
        digest::of(&bytes) != *known && texts.get(*path) != Some(&bytes)
    };
    let changed: Vec<&str> = earlier
        .iter()
        .filter(is_changed)
        .map(|(path, _)| path.as_str())
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let mut named: Vec<String> = changed
        .iter()
        .take(MOST_NAMED)
        .map(|path| format!("`{path}`"))
        .collect();
    if changed.len() > MOST_NAMED {
        named.push(format!("{} more", changed.len() - MOST_NAMED));
    }
    Err(Failure::new(format!(
        "files in `{}` were changed after `hpdlc emit` had written them: {}",
        folder.display(),
        named.join(", ")
    ))
    .help("name a new folder and compare, or remove the changed files: they are written again"))
}

/// What an earlier `emit` has written to `folder`, with the digest of each file's content, if it is known.
fn earlier_files(folder: &Path) -> Result<BTreeMap<String, Option<String>>, Failure> {
    if let Ok(list) = fs::read_to_string(folder.join(LIST)) {
        // Only names below the folder are accepted, because the list may have been edited.
        let is_below = |path: &str| {
            Path::new(path)
                .components()
                .all(|part| matches!(part, std::path::Component::Normal(_)))
        };
        let is_digest =
            |text: &str| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        return Ok(list
            .lines()
            .map(|line| match line.split_once(' ') {
                Some((digest, path)) if is_digest(digest) => (path, Some(digest.to_owned())),
                _ => (line, None),
            })
            .filter(|(path, _)| is_below(path))
            .map(|(path, digest)| (path.to_owned(), digest))
            .collect());
    }
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(Failure::io("write to", folder, &error)),
    };
    if is_empty {
        return Ok(BTreeMap::new());
    }
    Err(Failure::new(format!(
        "`{}` is not empty, and not the work of an earlier `hpdlc emit`",
        folder.display()
    ))
    .help("name a new folder"))
}

fn put(folder: &Path, path: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path: PathBuf = folder.join(path);
    writer::replace_if_changed(&path, bytes)
        .map(drop)
        .map_err(|error| Failure::io("write", &path, &error))
}

fn bundled_text(path: &str) -> &'static str {
    let bytes = hpdlc_runtime_sources::file(path)
        .expect("the sources are a workspace, which has both files");
    std::str::from_utf8(bytes).expect("cargo's own files are UTF-8")
}

/// The runtime's lock file with an entry for the crate itself, in the order that cargo uses.
fn lock(runtime: &str, package_name: &str) -> String {
    const HEAD: &str = "[[package]]\nname = \"";
    let block = format!(
        "{HEAD}{package_name}\"\nversion = \"0.1.0\"\ndependencies = [\n \"hpdlc-runtime\",\n]\n"
    );
    let after = runtime
        .match_indices(HEAD)
        .find(|(offset, _)| {
            let name = runtime[offset + HEAD.len()..]
                .split('"')
                .next()
                .unwrap_or_default();
            name > package_name
        })
        .map(|(offset, _)| offset);
    match after {
        Some(offset) => format!("{}{block}\n{}", &runtime[..offset], &runtime[offset..]),
        None => format!("{}\n\n{block}", runtime.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crate_stands_in_the_lock_file_in_the_order_of_names() {
        let runtime = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1\"\n\n[[package]]\nname = \"z\"\nversion = \"1\"\n";
        let own = "[[package]]\nname = \"m\"\nversion = \"0.1.0\"\ndependencies = [\n \"hpdlc-runtime\",\n]\n";
        assert_eq!(
            lock(runtime, "m"),
            runtime.replace(
                "[[package]]\nname = \"z\"",
                &format!("{own}\n[[package]]\nname = \"z\"")
            )
        );
        assert!(lock(runtime, "zz").ends_with(&format!(
            "version = \"1\"\n\n{}",
            own.replace("\"m\"", "\"zz\"")
        )));
    }

    #[test]
    fn folder_of_somebody_else_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(earlier_files(folder.path()), Ok(BTreeMap::new()));
        assert_eq!(
            earlier_files(&folder.path().join("new")),
            Ok(BTreeMap::new())
        );
        fs::write(folder.path().join("notes.txt"), "").expect("writes");
        assert!(earlier_files(folder.path()).is_err());
        fs::write(
            folder.path().join(LIST),
            "src/main.rs\n../outside\n/etc/passwd\n",
        )
        .expect("writes");
        assert_eq!(
            earlier_files(folder.path()),
            Ok(BTreeMap::from([("src/main.rs".to_owned(), None)]))
        );
    }

    #[test]
    fn what_was_changed_since_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        let list = format!("{} a\n{} b\nc\n", digest::of(b"1"), digest::of(b"2"));
        fs::write(path(LIST), list).expect("writes");
        let earlier = earlier_files(folder.path()).expect("is one of ours");
        let texts = BTreeMap::from([("a".to_owned(), b"new".to_vec())]);
        let refused = || {
            let refused = refuse_changed(folder.path(), &earlier, &texts);
            refused.err().map(|failure| failure.to_string())
        };
        // Removed.
        assert_eq!(refused(), None);
        fs::write(path("a"), "1").expect("writes");
        fs::write(path("b"), "2").expect("writes");
        fs::write(path("c"), "whatever").expect("writes");
        assert_eq!(refused(), None);
        fs::write(path("a"), "new").expect("writes");
        assert_eq!(refused(), None);
        fs::write(path("a"), "mine").expect("writes");
        fs::write(path("b"), "mine").expect("writes");
        let message = refused().expect("is refused");
        assert!(message.contains("`a`, `b`"), "{message}");
    }
}
