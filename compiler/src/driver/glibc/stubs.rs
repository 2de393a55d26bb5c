//! Stub libraries with the symbols of glibc 2.17, and a start file: programs linked with them require no newer version. Also
//! used by the build script, for hpdlc itself.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The exported symbols of the libraries.
pub const NAMES: &str = include_str!("x86_64.txt");
/// The entry point of a program, and functions that 2.17 has under other names.
pub const START: &str = include_str!("start.c");

/// The file of a library at run time, and the one that linkers search for. The dynamic loader is identified by its path
/// alone.
const LIBRARIES: [(&str, &str); 7] = [
    ("libc.so.6", "libc.so"),
    ("libpthread.so.0", "libpthread.so"),
    ("libdl.so.2", "libdl.so"),
    ("libm.so.6", "libm.so"),
    ("librt.so.1", "librt.so"),
    ("libutil.so.1", "libutil.so"),
    (LOADER, LOADER),
];
const LOADER: &str = "ld-linux-x86-64.so.2";
const START_OBJECT: &str = "start.o";

/// A symbol that a library exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export<'a> {
    /// The file of the library.
    pub library: &'a str,
    /// Such as `GLIBC_2.2.5`.
    pub version: &'a str,
    /// The usual name first; all are aliases of the same symbol.
    pub names: Vec<&'a str>,
    /// In bytes; `None` for a function.
    pub size: Option<u32>,
}

/// Parses [`NAMES`]: `library version` at the start of a line, and its names on the indented lines below.
pub fn exports(list: &str) -> Vec<Export<'_>> {
    let mut exports = Vec::new();
    let (mut library, mut version) = ("", "");
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        if !line.starts_with(' ') {
            (library, version) = line.split_once(' ').unwrap_or((line, ""));
            continue;
        }
        for name in line.split_whitespace() {
            let (names, size) = match name.split_once(':') {
                Some((names, size)) => (names, size.parse().ok()),
                None => (name, None),
            };
            exports.push(Export {
                library,
                version,
                names: names.split('=').collect(),
                size,
            });
        }
    }
    exports
}

/// Builds the libraries and the start file in `folder`. The inner error is the output of the C compiler.
///
/// # Errors
///
/// The folder cannot be written, or there is no C compiler.
pub fn make(folder: &Path) -> io::Result<Result<(), String>> {
    fs::create_dir_all(folder)?;
    let exports = exports(NAMES);
    for (file, linked) in LIBRARIES {
        let of_library: Vec<&Export<'_>> = exports
            .iter()
            .filter(|export| export.library == file)
            .collect();
        let (assembly, versions) = (
            folder.join(format!("{linked}.s")),
            folder.join(format!("{linked}.map")),
        );
        fs::write(&assembly, assembly_of(&of_library))?;
        fs::write(&versions, versions_of(&of_library))?;
        let mut command = Command::new("cc");
        command
            .args(["-nostdlib", "-shared", "-Wl,-z,noexecstack"])
            .arg(format!("-Wl,-soname,{file}"))
            .arg("-Xlinker")
            .arg(joined("--version-script=", &versions))
            .arg("-o")
            .arg(folder.join(linked))
            .arg(&assembly);
        if let Err(said) = run(&mut command)? {
            return Ok(Err(said));
        }
        fs::remove_file(assembly)?;
        fs::remove_file(versions)?;
    }
    let source = folder.join("start.c");
    fs::write(&source, START)?;
    let mut command = Command::new("cc");
    command
        .args([
            "-c",
            "-O1",
            "-fPIC",
            "-ffreestanding",
            "-fno-stack-protector",
        ])
        .args(["-fno-asynchronous-unwind-tables", "-o"])
        .arg(folder.join(START_OBJECT))
        .arg(&source);
    let compiled = run(&mut command)?;
    fs::remove_file(source)?;
    Ok(compiled)
}

/// The files that [`make`] creates in `folder`.
pub fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    LIBRARIES
        .into_iter()
        .map(|(_, linked)| linked)
        .chain([START_OBJECT])
        .map(|name| folder.join(name))
}

/// Linker arguments, as passed to the C compiler. Newer versions required by other libraries of this machine are ignored.
pub fn link_arguments(folder: &Path) -> Vec<OsString> {
    vec![
        "-nostartfiles".into(),
        joined("-L", folder),
        "-Wl,--allow-shlib-undefined".into(),
        folder.join(START_OBJECT).into(),
        folder.join(LOADER).into(),
    ]
}

fn assembly_of(exports: &[&Export<'_>]) -> String {
    let mut text = String::from(".text\n");
    for name in exports
        .iter()
        .filter(|export| export.size.is_none())
        .flat_map(|export| &export.names)
    {
        text.push_str(&format!(
            ".globl {name}\n.type {name}, @function\n{name}:\n    ret\n"
        ));
    }
    text.push_str(".bss\n");
    for export in exports {
        let Some(size) = export.size else { continue };
        text.push_str(".balign 16\n");
        for name in &export.names {
            text.push_str(&format!(
                ".globl {name}\n.type {name}, @object\n.size {name}, {size}\n{name}:\n"
            ));
        }
        text.push_str(&format!("    .zero {size}\n"));
    }
    text
}

fn versions_of(exports: &[&Export<'_>]) -> String {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for export in exports {
        let names = versions.entry(export.version).or_default();
        names.extend(&export.names);
    }
    versions
        .into_iter()
        .map(|(version, names)| format!("{version} {{ global: {}; }};\n", names.join("; ")))
        .collect()
}

fn run(command: &mut Command) -> io::Result<Result<(), String>> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(Ok(()));
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Ok(Err(format!("{}\n{}", output.status, stderr.trim())))
}

fn joined(prefix: &str, path: &Path) -> OsString {
    let mut text = OsString::from(prefix);
    text.push(path);
    text
}
