//! Lists what `hpdl` is made of, and links it small: without its symbols, a third of it, which the profile of the workspace keeps; with packed relocations where the
//! C library of this machine reads them; and with one function for all that are equal where the linker can do that, a twentieth.

use std::{env, fs, io, path::Path, process::Command};

#[path = "../build/components.rs"]
mod components;

const FOLDS: &str = "-Wl,--icf=all";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../build");
    components::write("hpdl")?;
    if env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
        if folds() {
            println!("cargo::rustc-link-arg-bins={FOLDS}");
        }
        if reads_packed_relocations() {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
    Ok(())
}

/// lld does, which rustc uses unless told otherwise on this architecture.
fn folds() -> bool {
    let (Ok(rustc), Ok(folder)) = (env::var("RUSTC"), env::var("OUT_DIR")) else {
        return false;
    };
    let (main, program) = (
        Path::new(&folder).join("main.rs"),
        Path::new(&folder).join("main"),
    );
    if fs::write(&main, "fn main() {}\n").is_err() {
        return false;
    }
    let mut command = Command::new(rustc);
    command.arg(&main).arg("-o").arg(&program);
    command
        .args(["--edition", "2024", "-C"])
        .arg(format!("link-arg={FOLDS}"));
    command.output().is_ok_and(|output| output.status.success())
}

/// glibc does since 2.36: `getconf` answers `glibc 2.36`.
fn reads_packed_relocations() -> bool {
    let Ok(output) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else {
        return false;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.trim().strip_prefix("glibc 2.").unwrap_or_default();
    version.parse::<u32>().is_ok_and(|minor| minor >= 36)
}
