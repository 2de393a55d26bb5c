//! Lists what hpdlc is made of, and links it for hosts with glibc 2.17 where `HPDLC_GLIBC=2.17` is set, with the libraries that `build --glibc` uses.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment and writes files"
)]

use std::{env, io, path::PathBuf};

#[path = "../runtime/build/components.rs"]
mod components;
#[expect(dead_code, reason = "the driver needs more of it")]
#[path = "src/driver/glibc/stubs.rs"]
mod stubs;

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../runtime/build");
    println!("cargo:rerun-if-changed=src/driver/glibc");
    components::write("hpdlc")?;
    println!("cargo:rerun-if-env-changed=HPDLC_GLIBC");
    let Some(version) = env::var_os("HPDLC_GLIBC").filter(|version| !version.is_empty()) else {
        return Ok(());
    };
    if env::var_os("CARGO_FEATURE_CLI").is_none() {
        return Ok(());
    }
    let target = env::var("TARGET").unwrap_or_default();
    if version != "2.17" || target != "x86_64-unknown-linux-gnu" {
        return Err(io::Error::other(format!(
            "HPDLC_GLIBC can be 2.17, for x86_64-unknown-linux-gnu; it is {version:?}, for {target}"
        )));
    }
    let out = env::var_os("OUT_DIR").expect("cargo sets it for build scripts");
    let folder = PathBuf::from(out).join("glibc");
    if let Err(said) = stubs::make(&folder)? {
        return Err(io::Error::other(said));
    }
    for argument in stubs::link_arguments(&folder) {
        println!("cargo:rustc-link-arg-bins={}", argument.display());
    }
    Ok(())
}
