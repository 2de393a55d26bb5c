//! For build scripts: lists what a package is linked from, as cargo resolves it, for `--version --sbom`.

use std::{
    collections::BTreeSet,
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Writes `components.txt` into the folder of the build script: a line for each package, with name, version and license separated by tabs,
/// and Rust's standard library. It is empty where cargo cannot tell.
pub fn write(package: &str) -> io::Result<()> {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let manifest = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    if let Some(lock) = lock_above(&manifest) {
        println!("cargo:rerun-if-changed={}", lock.display());
    }
    println!("cargo:rerun-if-changed=Cargo.toml");
    let features = features();
    let mut command = Command::new(variable("CARGO"));
    command
        .args(["tree", "--offline", "--locked", "--package", package])
        .args([
            "--edges",
            "normal,no-proc-macro",
            "--prefix",
            "none",
            "--no-dedupe",
        ])
        .args(["--format", "{p}|{l}", "--target", &variable("TARGET")])
        .args(["--no-default-features", "--features", &features.join(",")])
        .current_dir(&manifest)
        .stdin(Stdio::null());
    let said = command
        .output()
        .ok()
        .filter(|output| output.status.success());
    let mut lines = BTreeSet::new();
    if let Some(output) = said {
        let text = String::from_utf8_lossy(&output.stdout);
        lines.extend(text.lines().filter_map(component));
        let rustc = Command::new(variable("RUSTC")).arg("--version").output();
        let rustc = rustc.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        if let Some(version) = rustc
            .ok()
            .and_then(|text| Some(text.split(' ').nth(1)?.to_owned()))
        {
            lines.insert(format!("rust-std\t{version}\tMIT OR Apache-2.0"));
        }
    }
    let lines: Vec<String> = lines.into_iter().collect();
    fs::write(
        Path::new(&variable("OUT_DIR")).join("components.txt"),
        lines.join("\n"),
    )
}

/// The features that the package is compiled with.
fn features() -> Vec<String> {
    let names = env::vars().filter_map(|(name, _)| {
        let name = name.strip_prefix("CARGO_FEATURE_")?;
        Some(name.to_lowercase().replace('_', "-"))
    });
    names.filter(|name| name != "default").collect()
}

/// The line of a package that cargo prints as `name v1.2.3 (path)|license`.
fn component(line: &str) -> Option<String> {
    let (package, license) = line.split_once('|')?;
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    Some(format!("{name}\t{version}\t{license}"))
}

fn lock_above(folder: &Path) -> Option<PathBuf> {
    let mut locks = folder.ancestors().map(|folder| folder.join("Cargo.lock"));
    locks.find(|lock| lock.is_file())
}
