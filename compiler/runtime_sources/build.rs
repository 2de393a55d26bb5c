//! Packs into `OUT_DIR` what cargo needs to build two workspaces alone: `runtime/` with the packages below it, as `files.rs`, and
//! what `hpdlc-flow` needs besides, as `flow.rs` and the compressed `flow.deflate`.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads and writes files"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use flate2::{Compression, write::DeflateEncoder};

#[path = "src/lock.rs"]
mod lock;
#[path = "src/manifest.rs"]
mod manifest;
#[path = "src/modules.rs"]
mod modules;

/// The packages of the runtime: name and folder below the workspace.
const RUNTIME: [(&str, &str); 15] = [
    ("hpdlc-core", "runtime/core"),
    ("hpdlc-graph", "runtime/graph"),
    ("hpdlc-program", "runtime/program"),
    ("hpdlc-host", "runtime/host"),
    ("hpdlc-store", "runtime/store"),
    ("hpdlc-gssapi", "runtime/gssapi"),
    ("hpdlc-files", "runtime/files"),
    ("hpdlc-launcher", "runtime/launcher"),
    ("hpdlc-network", "runtime/network"),
    ("hpdlc-yarn", "runtime/yarn"),
    ("hpdlc-executors", "runtime/executors"),
    ("hpdlc-engine", "runtime/engine"),
    ("hpdlc-scheduler", "runtime/scheduler"),
    ("hpdlc-testing", "runtime/testing"),
    ("hpdlc-runtime", "runtime"),
];

/// What extensions are compiled with besides. The compiler is a library there, without its command line.
const FLOW: [(&str, &str); 3] = [
    ("hpdlc", "compiler"),
    ("hpdlc-macros", "macros"),
    ("hpdlc-flow", "macros/flow"),
];

/// The package below `runtime/` that no executable has.
const SERVER: &str = "runtime/server";

/// What cargo and the build scripts of dependencies are told.
const CONFIG: &str = ".cargo/config.toml";

/// One packed file: bytes that are somewhere already, or text that is written here.
#[derive(Clone)]
enum PackedContent {
    Copied(PathBuf),
    Written(String),
}

type PackedFiles = BTreeMap<String, PackedContent>;

fn main() -> io::Result<()> {
    let package =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it for build scripts"));
    let workspace = fs::canonicalize(package.join("../.."))?;
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src");
    for path in ["Cargo.toml", "Cargo.lock", CONFIG] {
        println!("cargo:rerun-if-changed={}", workspace.join(path).display());
    }
    let runtime = packed_runtime(&workspace, &out)?;
    write_runtime(&runtime, &out)?;
    write_flow(&packed_flow(&workspace, &runtime, &out)?, &out)
}

fn packed_runtime(workspace: &Path, out: &Path) -> io::Result<PackedFiles> {
    let mut files = PackedFiles::new();
    let mut watched = Vec::new();
    collect(workspace, "runtime", &mut files, &mut watched)?;
    watch(&watched);
    drop_modules(&mut files)?;
    let config = fs::read_to_string(workspace.join(CONFIG))?;
    files.insert(
        CONFIG.to_owned(),
        PackedContent::Written(without_wrapper(&config)),
    );
    expect_listed(&files)?;
    add_manifests(workspace, &RUNTIME, &mut files)?;
    settle(&mut files, &out.join("workspace"))?;
    Ok(files)
}

/// A package that is not in [`RUNTIME`] would be packed with the manifest that it has in this workspace, which the smaller one cannot read.
fn expect_listed(files: &PackedFiles) -> io::Result<()> {
    let folders = files
        .keys()
        .filter_map(|path| path.strip_suffix("/Cargo.toml"));
    let missing = |folder: &&str| RUNTIME.iter().all(|(_, listed)| listed != folder);
    match folders.into_iter().find(missing) {
        Some(folder) => Err(io::Error::other(format!(
            "RUNTIME in compiler/runtime_sources/build.rs lacks {folder}"
        ))),
        None => Ok(()),
    }
}

/// The files besides those of the runtime, and its `Cargo.toml` and `Cargo.lock` with more in them.
fn packed_flow(workspace: &Path, runtime: &PackedFiles, out: &Path) -> io::Result<PackedFiles> {
    let mut own = PackedFiles::new();
    let mut watched = Vec::new();
    collect(workspace, "macros", &mut own, &mut watched)?;
    collect(workspace, "compiler/src", &mut own, &mut watched)?;
    watch(&watched);
    println!(
        "cargo:rerun-if-changed={}",
        workspace.join("compiler/Cargo.toml").display()
    );
    drop_modules(&mut own)?;
    let mut files = runtime.clone();
    files.append(&mut own);
    let members: Vec<_> = RUNTIME.into_iter().chain(FLOW).collect();
    add_manifests(workspace, &members, &mut files)?;
    settle(&mut files, &out.join("flow-workspace"))?;
    files.retain(|path, _| {
        path == "Cargo.toml" || path == "Cargo.lock" || !runtime.contains_key(path)
    });
    Ok(files)
}

/// Drops the modules of tests, those that a library has not, and the compiler's program.
fn drop_modules(files: &mut PackedFiles) -> io::Result<()> {
    let mut dropped = vec!["compiler/src/main".to_owned()];
    for (path, content) in files.iter() {
        let (Some(module), PackedContent::Copied(source)) = (path.strip_suffix(".rs"), content)
        else {
            continue;
        };
        let folder = module.strip_suffix("/lib").unwrap_or(module);
        let text = fs::read_to_string(source)?;
        dropped.extend(modules::left_out(&text).map(|name| format!("{folder}/{name}")));
    }
    files.retain(|path, _| {
        !dropped.iter().any(|module| {
            let rest = path.strip_prefix(module);
            rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
    });
    Ok(())
}

/// Adds the manifests of `members`, and those of the workspace that has just these.
fn add_manifests(
    workspace: &Path,
    members: &[(&str, &str)],
    files: &mut PackedFiles,
) -> io::Result<()> {
    let mut used = BTreeSet::new();
    let mut lost = Vec::new();
    for (name, folder) in members {
        let path = format!("{folder}/Cargo.toml");
        let text = fs::read_to_string(workspace.join(&path))?;
        let member = if FLOW.iter().any(|(flow, _)| flow == name) {
            manifest::library(&text)
        } else {
            manifest::member(&text)
        };
        used.extend(member.dependencies);
        lost.push((*name, member.lost));
        files.insert(path, PackedContent::Written(member.text));
    }
    let root = fs::read_to_string(workspace.join("Cargo.toml"))?;
    let folders: Vec<&str> = members.iter().map(|(_, folder)| *folder).collect();
    let root = manifest::workspace(&root, &folders, &used);
    files.insert("Cargo.toml".to_owned(), PackedContent::Written(root));
    let lock = fs::read_to_string(workspace.join("Cargo.lock"))?;
    let lock = lock::pruned(&lock, &lost);
    files.insert("Cargo.lock".to_owned(), PackedContent::Written(lock));
    Ok(())
}

/// Makes the lock file what cargo itself would leave: only cargo knows which optional dependencies the smaller workspace still
/// switches on. Where cargo cannot tell offline, the one that we have cut stays, and cargo settles it later.
///
/// Cargo needs a second for it, so it is asked in `folder` only if a manifest or the lock file has changed.
fn settle(files: &mut PackedFiles, folder: &Path) -> io::Result<()> {
    let mut asked = String::new();
    for (path, content) in files.iter() {
        let name = path.rsplit('/').next().unwrap_or_default();
        match content {
            PackedContent::Written(text) => write!(asked, "{path}\n{text}\n"),
            // By these, cargo knows the targets of a package.
            PackedContent::Copied(_) if ["lib.rs", "main.rs", "build.rs"].contains(&name) => {
                writeln!(asked, "{path}")
            }
            PackedContent::Copied(_) => continue,
        }
        .expect("writing to a string cannot fail");
    }
    let known = folder.join("asked");
    let lock = folder.join("Cargo.lock");
    if fs::read_to_string(&known).ok().as_ref() != Some(&asked) {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        for (path, content) in files.iter() {
            let text = match content {
                PackedContent::Written(text) => text,
                PackedContent::Copied(_) if asked.lines().any(|line| line == path) => "",
                PackedContent::Copied(_) => continue,
            };
            let target = folder.join(path);
            fs::create_dir_all(target.parent().expect("a packed file has a folder"))?;
            fs::write(&target, text)?;
        }
        let cargo = env::var_os("CARGO").expect("cargo sets it for build scripts");
        let status = Command::new(cargo)
            .args(["metadata", "--offline", "--format-version", "1"])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !status.is_ok_and(|status| status.success()) {
            return Ok(());
        }
        fs::write(&known, &asked)?;
    }
    let settled = fs::read_to_string(&lock)?;
    files.insert("Cargo.lock".to_owned(), PackedContent::Written(settled));
    Ok(())
}

fn write_runtime(files: &PackedFiles, out: &Path) -> io::Result<()> {
    let written = out.join("written");
    fs::create_dir_all(&written)?;
    let mut list = String::from(
        "/// Every packed file of the runtime: its path below the workspace with `/`, and its bytes. Sorted by path.\n\
         pub static FILES: &[(&str, &[u8])] = &[\n",
    );
    for (number, (path, content)) in files.iter().enumerate() {
        let source = match content {
            PackedContent::Copied(source) => source.clone(),
            PackedContent::Written(text) => {
                let source = written.join(number.to_string());
                fs::write(&source, text)?;
                source
            }
        };
        writeln!(
            list,
            "    ({path:?}, include_bytes!({:?})),",
            source.display().to_string()
        )
        .expect("writing to a string cannot fail");
    }
    list.push_str("];\n");
    fs::write(out.join("files.rs"), list)
}

/// All files one after the other are compressed, since few users of hpdlc need them.
fn write_flow(files: &PackedFiles, out: &Path) -> io::Result<()> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let mut list = String::from("static FLOW_LENGTHS: &[(&str, usize)] = &[\n");
    for (path, content) in files {
        let bytes = match content {
            PackedContent::Copied(source) => fs::read(source)?,
            PackedContent::Written(text) => text.clone().into_bytes(),
        };
        encoder.write_all(&bytes)?;
        writeln!(list, "    ({path:?}, {}),", bytes.len())
            .expect("writing to a string cannot fail");
    }
    list.push_str("];\n");
    fs::write(out.join("flow.deflate"), encoder.finish()?)?;
    fs::write(out.join("flow.rs"), list)
}

/// The configuration without its last table: the script that it names is not packed, and the driver gives rustc the same argument.
fn without_wrapper(config: &str) -> String {
    let end = config.find("\n# Last:").unwrap_or(config.len());
    config[..end].to_owned()
}

fn watch(paths: &[PathBuf]) {
    for path in paths {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}

/// Whether the file or folder of this path is packed: all but hidden ones, pages, build output, the server, and what only tests read.
/// The pages in the compiler's sources are part of it.
fn is_packed(path: &str, name: &str) -> bool {
    let is_of_tests = name.split('.').next() == Some("tests") || name == "proptest-regressions";
    let is_page = name.ends_with(".md") && !path.starts_with("compiler/src/");
    !is_of_tests && !is_page && !name.starts_with('.') && name != "target" && path != SERVER
}

/// Adds the packed files below `folder`, and gives whether these are all files there. `watched` gets what cargo is to watch: a
/// folder where they are, since cargo looks at all files below one, else file by file. A new file in a folder that is not watched
/// is named by a file that has changed: as a module, or as what it includes.
fn collect(
    workspace: &Path,
    folder: &str,
    files: &mut PackedFiles,
    watched: &mut Vec<PathBuf>,
) -> io::Result<bool> {
    let mut is_whole = true;
    let mut inside = Vec::new();
    for entry in fs::read_dir(workspace.join(folder))? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().expect("our own files have ASCII names");
        let path = format!("{folder}/{name}");
        if !is_packed(&path, name) {
            is_whole = false;
            continue;
        }
        if entry.file_type()?.is_dir() {
            is_whole &= collect(workspace, &path, files, &mut inside)?;
        } else {
            inside.push(entry.path());
            files.insert(path, PackedContent::Copied(entry.path()));
        }
    }
    if is_whole {
        watched.push(workspace.join(folder));
    } else {
        watched.append(&mut inside);
    }
    Ok(is_whole)
}
