//! `hpdlc new extension`: the crate of an extension with an action type and a function, to begin with.

use std::path::Path;

use crate::driver::{
    Failure,
    package::VERSION,
    place,
    settings::{MANIFEST, is_crate_name},
    writer,
};

/// The files of the crate, with `{{name}}` and the like in them.
const FILES: [(&str, &str); 4] = [
    (
        "Cargo.toml",
        include_str!("../../../templates/extension/Cargo.toml.txt"),
    ),
    (
        "src/lib.rs",
        include_str!("../../../templates/extension/lib.rs.txt"),
    ),
    (
        MANIFEST,
        include_str!("../../../templates/extension/hpdl-extension.json.txt"),
    ),
    (".gitignore", "/target\n"),
];

/// Writes the crate of an extension called `name` to `folder`.
///
/// # Errors
///
/// No crate can have this name, or the folder exists or cannot be written.
pub fn write(name: &str, folder: &Path) -> Result<(), Failure> {
    if !is_crate_name(name) {
        return Err(Failure::new(format!("an extension cannot be called `{name}`"))
            .note("it has the name of its crate")
            .help("choose a name of small letters, digits and `_` that is not one of Rust, Oozie or hpdlc"));
    }
    if folder.symlink_metadata().is_ok() {
        return Err(Failure::new(format!("`{}` exists", folder.display()))
            .help("name a new folder, by `-o`"));
    }
    let checkout = place::find().ok().and_then(|places| places.checkout);
    let flow = match checkout {
        Some(checkout) => {
            let path = checkout.workspace.join("macros/flow");
            // As in JSON.
            let path = serde_json::Value::from(path.to_string_lossy());
            format!("path = {path}")
        }
        None => format!("version = \"{VERSION}\""),
    };
    for (path, template) in FILES {
        let text = filled(template, name, &flow);
        let path = folder.join(path);
        writer::replace(&path, text.as_bytes())
            .map_err(|error| Failure::io("write", &path, &error))?;
    }
    Ok(())
}

fn filled(template: &str, name: &str, flow: &str) -> String {
    let element = format!("{}-copy", name.replace('_', "-"));
    template
        .replace("{{name}}", name)
        .replace("{{element}}", &element)
        .replace("{{flow}}", flow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_written_once_and_names_are_checked() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("big_data");
        assert_eq!(write("big_data", &path), Ok(()));
        let code = std::fs::read_to_string(path.join("src/lib.rs")).expect("reads");
        assert!(code.contains("element = \"big-data-copy\""), "{code}");
        assert!(!code.contains("{{"), "{code}");
        let again = write("big_data", &path).expect_err("it exists");
        assert!(again.message.ends_with("exists"), "{again}");
        for name in ["Big", "std", "fn", "a-b", "", "1a"] {
            assert!(write(name, &folder.path().join("new")).is_err(), "{name}");
        }
    }
}
