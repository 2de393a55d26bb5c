//! Links `hpdl` small: without its symbols, a third of it, which the profile of the workspace keeps; and with packed relocations where the
//! C library of this machine reads them.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
        if reads_packed_relocations() {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
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
