//! Packs `runtime/` with the packages below it, and what cargo needs to build them alone into `OUT_DIR/files.rs`.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads and writes files"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

#[path = "src/lock.rs"]
mod lock;
#[path = "src/manifest.rs"]
mod manifest;

/// The packed packages: name and folder below the workspace.
const MEMBERS: [(&str, &str); 13] = [
    ("hpdlc-core", "runtime/core"),
    ("hpdlc-graph", "runtime/graph"),
    ("hpdlc-program", "runtime/program"),
    ("hpdlc-host", "runtime/host"),
    ("hpdlc-store", "runtime/store"),
    ("hpdlc-files", "runtime/files"),
    ("hpdlc-launcher", "runtime/launcher"),
    ("hpdlc-network", "runtime/network"),
    ("hpdlc-executors", "runtime/executors"),
    ("hpdlc-engine", "runtime/engine"),
    ("hpdlc-scheduler", "runtime/scheduler"),
    ("hpdlc-testing", "runtime/testing"),
    ("hpdlc-runtime", "runtime"),
];

/// What cargo and the build scripts of dependencies are told.
const CONFIG: &str = ".cargo/config.toml";

/// One packed file: bytes that are somewhere already, or text that is written here.
enum PackedContent {
    Copied(PathBuf),
    Written(String),
}

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
    let mut files = packed_files(&workspace)?;
    if let Some(lock) = settled_lock(&files, &out.join("workspace"))? {
        files.insert("Cargo.lock".to_owned(), PackedContent::Written(lock));
    }
    let written = out.join("written");
    fs::create_dir_all(&written)?;
    let mut list = String::from(
        "/// Every packed file: its path below the workspace with `/`, and its bytes. Sorted by path.\n\
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

/// The lock file as cargo itself would leave it: only cargo knows which optional dependencies the smaller workspace still
/// switches on. `None` where cargo cannot tell offline; the one that we have cut then serves, and cargo settles it later.
fn settled_lock(
    files: &BTreeMap<String, PackedContent>,
    workspace: &Path,
) -> io::Result<Option<String>> {
    for (path, content) in files {
        let target = workspace.join(path);
        fs::create_dir_all(target.parent().expect("a packed file has a folder"))?;
        match content {
            PackedContent::Copied(source) => drop(fs::copy(source, &target)?),
            PackedContent::Written(text) => fs::write(&target, text)?,
        }
    }
    let cargo = env::var_os("CARGO").expect("cargo sets it for build scripts");
    let status = Command::new(cargo)
        .args(["metadata", "--offline", "--format-version", "1"])
        .current_dir(workspace)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => {
            fs::read_to_string(workspace.join("Cargo.lock")).map(Some)
        }
        Ok(_) | Err(_) => Ok(None),
    }
}

/// The configuration without its last table: the script that it names is not packed, and the driver gives rustc the same argument.
fn without_wrapper(config: &str) -> String {
    let end = config.find("\n# Last:").unwrap_or(config.len());
    config[..end].to_owned()
}

fn packed_files(workspace: &Path) -> io::Result<BTreeMap<String, PackedContent>> {
    let mut files = BTreeMap::new();
    let mut watched = Vec::new();
    collect(workspace, "runtime", &mut files, &mut watched)?;
    for path in watched {
        println!("cargo:rerun-if-changed={}", path.display());
    }
    let mut used = BTreeSet::new();
    let mut dropped = Vec::new();
    for (name, folder) in MEMBERS {
        let path = format!("{folder}/Cargo.toml");
        let text = fs::read_to_string(workspace.join(&path))?;
        let member = manifest::member(&text);
        used.extend(member.dependencies.iter().cloned());
        dropped.push((name, member.only_for_tests));
        files.insert(path, PackedContent::Written(member.text));
    }
    let config = fs::read_to_string(workspace.join(CONFIG))?;
    files.insert(
        CONFIG.to_owned(),
        PackedContent::Written(without_wrapper(&config)),
    );
    let root = fs::read_to_string(workspace.join("Cargo.toml"))?;
    let folders = MEMBERS.map(|(_, folder)| folder);
    files.insert(
        "Cargo.toml".to_owned(),
        PackedContent::Written(manifest::workspace(&root, &folders, &used)),
    );
    let lock = fs::read_to_string(workspace.join("Cargo.lock"))?;
    files.insert(
        "Cargo.lock".to_owned(),
        PackedContent::Written(lock::pruned(&lock, &dropped)),
    );
    Ok(files)
}

/// Whether files and folders of this name are packed: all but hidden ones, pages, build output, and what only tests read.
fn is_packed(name: &str) -> bool {
    let is_of_tests = name.split('.').next() == Some("tests") || name == "proptest-regressions";
    !is_of_tests && !name.starts_with('.') && !name.ends_with(".md") && name != "target"
}

/// Adds the packed files below `folder`, and gives whether these are all files there. `watched` gets what cargo is to watch: a
/// folder where they are, since cargo looks at all files below one, else file by file. A new file in a folder that is not watched
/// is named by a file that has changed: as a module, or as what it includes.
fn collect(
    workspace: &Path,
    folder: &str,
    files: &mut BTreeMap<String, PackedContent>,
    watched: &mut Vec<PathBuf>,
) -> io::Result<bool> {
    let mut is_whole = true;
    let mut inside = Vec::new();
    for entry in fs::read_dir(workspace.join(folder))? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().expect("our own files have ASCII names");
        if !is_packed(name) {
            is_whole = false;
            continue;
        }
        let path = format!("{folder}/{name}");
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
