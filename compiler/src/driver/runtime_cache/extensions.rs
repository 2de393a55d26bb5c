//! Extensions beside the runtime: cargo compiles their crates and the runtime that they ask for together, so that a program can be
//! linked with both.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde::{Deserialize, Serialize};

use crate::{
    analysis::FeatureSet,
    driver::{
        Failure, Toolchain, bundled,
        digest::Digest,
        link::link,
        settings::DeclaredExtension,
        stamp::{self, TreeState},
        toolchain, writer,
    },
};

use super::cargo_messages::CargoArtifacts;

/// The crate that depends on all extensions.
const PACKAGE: &str = "hpdlc-extensions";

/// An extension that was compiled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltExtension {
    /// The file name of its library.
    pub rlib: String,
    /// The text of its manifest, as its code says it.
    pub manifest: String,
}

/// What distinguishes these extensions from others; nothing without extensions.
pub(super) fn add_to_key(extensions: &[DeclaredExtension], digest: &mut Digest) {
    for extension in extensions {
        digest.field("extension").field(&extension.name);
        if let Some(folder) = &extension.folder {
            digest.field(real(folder).as_os_str().as_encoded_bytes());
        }
        for (key, value) in &extension.source {
            digest.field(key).field(value);
        }
    }
}

/// The folders of those that are on this machine.
pub(super) fn folders(extensions: &[DeclaredExtension]) -> BTreeSet<PathBuf> {
    let folders = extensions.iter().filter_map(|it| it.folder.as_deref());
    folders.map(real).collect()
}

/// The manifests of those from elsewhere, as digests by name. One that changes means that the crate has, so that cargo looks for it again.
pub(super) fn copies(
    extensions: &[DeclaredExtension],
) -> Result<BTreeMap<String, String>, Failure> {
    let elsewhere = extensions.iter().filter(|it| it.folder.is_none());
    elsewhere
        .map(|extension| {
            let path = &extension.manifest;
            let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
            let mut digest = Digest::default();
            digest.field(bytes);
            Ok((extension.name.clone(), digest.finish()))
        })
        .collect()
}

/// The state of everything in `folders` that cargo compiles.
pub(super) fn sources(folders: &BTreeSet<PathBuf>) -> Result<TreeState, Failure> {
    let mut states = TreeState::new();
    for folder in folders {
        let state = stamp::tree_state([folder.as_path()])
            .map_err(|error| Failure::io("read", folder, &error))?;
        states.extend(state);
    }
    // Not compiled, and compared with the code when a program is built.
    states.retain(|path, _| path.file_name() != Some(crate::driver::settings::MANIFEST.as_ref()));
    Ok(states)
}

/// Writes the crate to `folder`: a workspace of its own, with the profile and the versions of `workspace`, the runtime's.
pub(super) fn write_crate(
    folder: &Path,
    workspace: &Path,
    extensions: &[DeclaredExtension],
    features: FeatureSet,
) -> Result<(), Failure> {
    let flow = workspace.join(bundled::FLOW);
    let read = |name: &str| {
        let path = workspace.join(name);
        fs::read_to_string(&path).map_err(|error| Failure::io("read", &path, &error))
    };
    let full = (features == FeatureSet::Full).then(|| workspace.join("runtime"));
    let manifest = manifest(extensions, &read("Cargo.toml")?, full.as_deref(), &flow);
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        writer::replace_if_changed(&path, text.as_bytes())
            .map_err(|error| Failure::io("write", &path, &error))
    };
    put("Cargo.toml", &manifest)?;
    put(
        "src/lib.rs",
        "//! The extensions of an application, compiled together.\n",
    )?;
    // Cargo adds what the extensions need, and keeps the versions that are known to work; of a branch elsewhere, the newest is wanted.
    let is_elsewhere = extensions.iter().any(|it| it.folder.is_none());
    if is_elsewhere || !folder.join("Cargo.lock").exists() {
        put("Cargo.lock", &read("Cargo.lock")?)?;
    }
    Ok(())
}

/// `full` is the folder of the runtime, if its feature of that name is wanted; `flow` that of the `hpdlc-flow` beside it, which
/// extensions that name a version of it get.
fn manifest(
    extensions: &[DeclaredExtension],
    workspace: &str,
    full: Option<&Path>,
    flow: &Path,
) -> String {
    let mut text = format!(
        "[package]\nname = \"{PACKAGE}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n[dependencies]\n"
    );
    // As in JSON.
    let quoted = |value: &str| serde_json::Value::from(value).to_string();
    for extension in extensions {
        let path = extension.folder.as_ref().map(|folder| {
            let folder = real(folder).to_string_lossy().into_owned();
            ("path".to_owned(), folder)
        });
        let keys = path.iter().chain(&extension.source);
        let keys: Vec<String> = keys
            .map(|(key, value)| format!("{key} = {}", quoted(value)))
            .collect();
        text.push_str(&format!("{} = {{ {} }}\n", extension.name, keys.join(", ")));
    }
    if let Some(runtime) = full {
        let path = quoted(&runtime.to_string_lossy());
        text.push_str(&format!(
            "hpdlc-runtime = {{ path = {path}, features = [\"full\"] }}\n"
        ));
    }
    let flow = quoted(&flow.to_string_lossy());
    text.push_str(&format!(
        "\n[patch.crates-io]\nhpdlc-flow = {{ path = {flow} }}\n\n"
    ));
    let mut is_profile = false;
    for line in workspace.lines() {
        if line.starts_with('[') {
            is_profile = line.starts_with("[profile.");
        }
        if is_profile && !line.starts_with('#') {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

pub(super) fn cargo(folder: &Path, target: &Path, toolchain: &Toolchain) -> Command {
    let mut command = toolchain.command(&toolchain.cargo);
    command
        .args(["build", "--release", "--lib", "--quiet"])
        .arg("--message-format=json-render-diagnostics")
        .arg("--target-dir")
        .arg(target)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The failure of cargo, whose messages are `stderr`.
pub(super) fn does_not_compile(stderr: &str, extensions: &[DeclaredExtension]) -> Failure {
    // Cargo's own last words say no more than the headline; the profile is that of the runtime's whole workspace.
    const LEFT_OUT: [&str; 3] = [
        "error: could not compile `",
        "For more information about this error",
        "warning: profile package spec",
    ];
    let said: Vec<&str> = stderr
        .lines()
        .filter(|line| !LEFT_OUT.iter().any(|beginning| line.starts_with(beginning)))
        .collect();
    let said = said.join("\n");
    let broken = extensions.iter().find(|extension| {
        let name = &extension.name;
        let dashed = name.replace('_', "-");
        stderr.contains(&format!("could not compile `{name}`"))
            || stderr.contains(&format!("could not compile `{dashed}`"))
    });
    match broken {
        Some(extension) => Failure::new(format!("extension `{}` does not compile", extension.name))
            .note(said.trim())
            .help("correct its code: `cargo check` in its folder says the same"),
        None => not_found(&said, extensions),
    }
}

/// Cargo has not come as far as the code.
fn not_found(said: &str, extensions: &[DeclaredExtension]) -> Failure {
    let unreachable = extensions.iter().find(|extension| {
        let mut keys = extension.source.iter();
        let git = keys.find(|(key, _)| key == "git");
        git.is_some_and(|(_, url)| said.contains(&format!("unable to update {url}")))
    });
    if let Some(extension) = unreachable {
        // The rest is how cargo came to it.
        let causes = said.rsplit("Caused by:").map(str::trim).take(2);
        let mut causes: Vec<&str> = causes.collect();
        causes.reverse();
        return Failure::new(format!(
            "the repository of extension `{}` cannot be read",
            extension.name
        ))
        .note(causes.join("\n"))
        .help("correct its `git`, and its `branch`, `tag` or `rev`, in `hpdl.toml`; cargo needs the network for it, and the access that `git` has");
    }
    let failure = Failure::new("the extensions could not be compiled").note(said.trim());
    if said.contains("no matching package named `hpdlc-flow` found") {
        return failure.help(format!(
            "have the `Cargo.toml` of the extension name the `hpdlc-flow` of hpdlc {}",
            env!("CARGO_PKG_VERSION")
        ));
    }
    failure.help(
        "correct `[extensions]` in `hpdl.toml`: the name of an extension is that of its package",
    )
}

/// Whether the extensions ask for one runtime, of this version.
pub(super) fn check_runtime(artifacts: &CargoArtifacts) -> Result<(), Failure> {
    let versions = &artifacts.wanted_versions;
    let own = env!("CARGO_PKG_VERSION");
    let failure = match versions.as_slice() {
        [only] if only == own => return Ok(()),
        [only] => Failure::new(format!("the extensions are written for hpdlc {only}"))
            .note(format!("this is hpdlc {own}")),
        _ => Failure::new("the extensions are written for different versions of hpdlc")
            .note(format!("they ask for the runtimes {}", versions.join(", "))),
    };
    Err(failure.help(format!(
        "have their `Cargo.toml` name the `hpdlc-flow` of hpdlc {own}"
    )))
}

/// The libraries of the extensions and what their code says that they define: asks a small program that has them.
pub(super) fn built(
    toolchain: &Toolchain,
    (libraries, rlib): (&Path, &Path),
    artifacts: &CargoArtifacts,
    extensions: &[DeclaredExtension],
    scratch: &Path,
) -> Result<BTreeMap<String, BuiltExtension>, Failure> {
    let mut built = BTreeMap::new();
    for extension in extensions {
        let name = &extension.name;
        let Some(library) = artifacts.rlibs.get(name) else {
            return Err(
                Failure::new(format!("extension `{name}` is not a library of that name"))
                    .note(format!(
                        "cargo has compiled {}",
                        toolchain::version_line(toolchain)
                    ))
                    .help(format!("the crate of an extension is a package `{name}` with a `src/lib.rs`, and its library has the same name")),
            );
        };
        let manifest = ask(
            toolchain,
            (libraries, rlib),
            (name, &libraries.join(library)),
            scratch,
        )?;
        built.insert(
            name.clone(),
            BuiltExtension {
                rlib: library.clone(),
                manifest,
            },
        );
    }
    Ok(built)
}

fn ask(
    toolchain: &Toolchain,
    (libraries, rlib): (&Path, &Path),
    (name, library): (&str, &Path),
    scratch: &Path,
) -> Result<String, Failure> {
    let folder = tempfile::Builder::new()
        .prefix("manifest-")
        .tempdir_in(scratch)
        .map_err(|error| Failure::io("write to", scratch, &error))?;
    let main = folder.path().join("main.rs");
    let text =
        format!("fn main() {{\n    print!(\"{{}}\", (::{name}::EXTENSION.manifest)());\n}}\n");
    fs::write(&main, text).map_err(|error| Failure::io("write", &main, &error))?;
    let mut command = toolchain.command(&toolchain.rustc);
    command
        .arg(&main)
        .args([
            "--crate-name",
            "manifest",
            "--edition",
            "2024",
            "-C",
            "opt-level=0",
        ])
        .args(["--cap-lints", "allow"]);
    add_extern(&mut command, name, library);
    let program = folder.path().join("manifest");
    let refused = |said: String| {
        Failure::new(format!("crate `{name}` is no extension"))
            .note(said)
            .help("an extension has `hpdlc_flow::extension! { ... }` in its `src/lib.rs`, which says what it defines")
    };
    if let Err(said) = link(command, libraries, rlib, &program)? {
        let first = said.lines().find(|line| line.starts_with("error"));
        return Err(refused(first.unwrap_or(&said).to_owned()));
    }
    let ran = Command::new(&program)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::io("start", &program, &error))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
        return Err(refused(format!("{}\n{said}", ran.status)));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// Lets the code that `command` compiles name a crate.
pub fn add_extern(command: &mut Command, name: &str, library: &Path) {
    let mut text = std::ffi::OsString::from(format!("{name}="));
    text.push(library);
    command.arg("--extern").arg(text);
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Span};

    fn declared(name: &str, folder: Option<&str>, source: &[(&str, &str)]) -> DeclaredExtension {
        let source = source.iter();
        DeclaredExtension {
            name: name.to_owned(),
            place: Span::new(FileId(0), 0, 0),
            folder: folder.map(PathBuf::from),
            source: source
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
            manifest: PathBuf::new(),
        }
    }

    #[test]
    fn the_crate_depends_on_each_extension_with_the_profile_of_the_runtime() {
        let extensions = [
            declared("acme", Some("/no/such/\"a\""), &[]),
            declared(
                "far",
                None,
                &[("git", "https://example.com/far"), ("tag", "v1")],
            ),
            declared("published", None, &[("version", "1.2")]),
        ];
        let workspace = "[workspace]\nmembers = []\n\n[profile.release]\ndebug = false\n# why\n\n[profile.release.package.a]\nopt-level = 1\n\n[workspace.lints]\n";
        let flow = Path::new("/hpdlc/macros/flow");
        let patch = "[patch.crates-io]\nhpdlc-flow = { path = \"/hpdlc/macros/flow\" }\n";
        let text = manifest(&extensions, workspace, None, flow);
        toml::de::DeTable::parse(&text).expect("it is TOML");
        let (_, written) = text.split_once("[dependencies]\n").expect("it has them");
        assert_eq!(
            written,
            format!(
                "acme = {{ path = \"/no/such/\\\"a\\\"\" }}\nfar = {{ git = \"https://example.com/far\", tag = \"v1\" }}\n\
                 published = {{ version = \"1.2\" }}\n\n{patch}\n\
                 [profile.release]\ndebug = false\n\n[profile.release.package.a]\nopt-level = 1\n\n"
            )
        );
        let full = manifest(
            &extensions,
            workspace,
            Some(Path::new("/hpdlc/runtime")),
            flow,
        );
        toml::de::DeTable::parse(&full).expect("it is TOML");
        assert!(full.contains(patch), "{full}");
        let line = "hpdlc-runtime = { path = \"/hpdlc/runtime\", features = [\"full\"] }";
        assert!(full.lines().any(|it| it == line), "{full}");
    }

    #[test]
    fn the_failing_extension_is_named() {
        let extensions = [
            declared("acme", None, &[]),
            declared("big_data", None, &[]),
            declared("far", None, &[("git", "https://example.com/far")]),
        ];
        for (said, expected) in [
            (
                "error: could not compile `big-data` (lib)",
                "extension `big_data` does not compile",
            ),
            (
                "error: no matching package named `acme` found",
                "the extensions could not be compiled",
            ),
            (
                "error: failed to get `far`\n\nCaused by:\n  unable to update https://example.com/far?branch=mian\n\nCaused by:\n  failed to find branch `mian`",
                "the repository of extension `far` cannot be read",
            ),
        ] {
            assert_eq!(does_not_compile(said, &extensions).message, expected);
        }
    }

    #[test]
    fn another_runtime_is_refused() {
        let artifacts = |versions: &[&str]| CargoArtifacts {
            libraries: BTreeSet::new(),
            rlib_name: String::new(),
            wanted_versions: versions.iter().map(|it| (*it).to_owned()).collect(),
            rlibs: BTreeMap::new(),
            folders: BTreeSet::new(),
        };
        let own = env!("CARGO_PKG_VERSION");
        assert_eq!(check_runtime(&artifacts(&[own])), Ok(()));
        assert!(check_runtime(&artifacts(&["99.0.0"])).is_err());
        assert!(check_runtime(&artifacts(&[own, own])).is_err());
    }
}
