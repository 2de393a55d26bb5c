//! Compiles every application in `corpus`, and writes a list of the programs of those without errors.

use std::{env, fmt::Write, fs, path::Path};

fn main() {
    let mut names: Vec<String> = fs::read_dir("corpus")
        .expect("the package has the folder")
        .map(|entry| {
            let entry = entry.expect("the folder can be read");
            entry.file_name().to_string_lossy().into_owned()
        })
        .collect();
    names.sort();
    let n_documents = names.len();
    names.retain(|name| hpdlc::build::try_compile(&Path::new("corpus").join(name)).is_ok());
    assert!(
        2 * names.len() > n_documents,
        "{} of {n_documents} documents have no errors",
        names.len()
    );
    let mut list = String::new();
    for name in &names {
        writeln!(
            list,
            "mod {name} {{ hpdlc_runtime::include_app!(\"{name}\"); }}"
        )
        .expect("a string takes all");
    }
    writeln!(list, "static PROGRAMS: [&Program; {}] = [", names.len()).expect("a string takes all");
    for name in &names {
        writeln!(list, "    &{name}::PROGRAM,").expect("a string takes all");
    }
    list.push_str("];\n");
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("programs.rs"), list).expect("it can be written");
}
