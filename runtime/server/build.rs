//! Links `hpdl` without its symbols, a third of it: it is a program to install, and the profile of the workspace keeps them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
}
