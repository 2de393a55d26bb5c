//! Lists what the runtime is made of.

#[path = "build/components.rs"]
mod components;

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    components::write("hpdlc-runtime")
}
