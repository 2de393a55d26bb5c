//! `hpdlc new extension`: the crate of an extension with an action type and a function, to begin with.

use std::{fs, io, path::Path};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::driver::{
    BuildPlaces, Failure, bundled,
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
    (".gitignore", "/target\n/.cargo\n"),
];

/// What tells cargo where `hpdlc-flow` is on this machine.
const CONFIG: &str = ".cargo/config.toml";

/// By this, [`CONFIG`] is known as ours.
const HEAD: &str = "# Written by hpdlc, for cargo and editors on this machine: the `hpdlc-flow` that it compiles extensions with.\n";

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
    let places = place::find()?;
    let flow = match &places.checkout {
        Some(_) => format!("path = {}", quoted(&bundled::flow(&places)?)),
        None => format!("version = \"{VERSION}\""),
    };
    if places.checkout.is_none() {
        write_config(folder, &places)?;
    }
    for (path, template) in FILES {
        let text = filled(template, name, &flow);
        let path = folder.join(path);
        writer::replace(&path, text.as_bytes())
            .map_err(|error| Failure::io("write", &path, &error))?;
    }
    Ok(())
}

/// Writes the `.cargo/config.toml` of an extension, if cargo needs it and nobody else has written one: another machine and another hpdlc
/// have other sources.
///
/// # Errors
///
/// The cache or the file cannot be written.
pub fn refresh(folder: &Path, places: &BuildPlaces) -> Result<(), Failure> {
    let is_own = match fs::read_to_string(folder.join(CONFIG)) {
        Ok(text) => text.starts_with(HEAD),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    if places.checkout.is_none() && is_own && names_version(&manifest) {
        write_config(folder, places)?;
    }
    Ok(())
}

/// Whether a manifest asks for a version of `hpdlc-flow`, which a registry would have.
fn names_version(manifest: &str) -> bool {
    let Ok(table) = DeTable::parse(manifest) else {
        return false;
    };
    let Some(DeValue::Table(dependencies)) =
        table.get_ref().get("dependencies").map(Spanned::get_ref)
    else {
        return false;
    };
    match dependencies.get("hpdlc-flow").map(Spanned::get_ref) {
        Some(DeValue::String(_)) => true,
        Some(DeValue::Table(keys)) => {
            keys.contains_key("version") && !keys.contains_key("path") && !keys.contains_key("git")
        }
        _ => false,
    }
}

fn write_config(folder: &Path, places: &BuildPlaces) -> Result<(), Failure> {
    let flow = quoted(&bundled::flow(places)?);
    let text = format!("{HEAD}[patch.crates-io]\nhpdlc-flow = {{ path = {flow} }}\n");
    let path = folder.join(CONFIG);
    writer::replace_if_changed(&path, text.as_bytes())
        .map(drop)
        .map_err(|error| Failure::io("write", &path, &error))
}

/// A path in TOML, which quotes as JSON does.
fn quoted(path: &Path) -> String {
    serde_json::Value::from(path.to_string_lossy()).to_string()
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
        assert!(!path.join(CONFIG).exists(), "tests lie in a checkout");
        for name in ["Big", "std", "fn", "a-b", "", "1a"] {
            assert!(write(name, &folder.path().join("new")).is_err(), "{name}");
        }
    }

    #[test]
    fn an_installed_hpdlc_tells_cargo_where_the_sources_are() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let installed = BuildPlaces {
            cache: folder.path().join("cache"),
            checkout: None,
        };
        let config = folder.path().join(CONFIG);
        let depending = |on: &str| {
            let text = format!("[dependencies]\nhpdlc-flow = {on}\n");
            writer::replace(&folder.path().join("Cargo.toml"), text.as_bytes()).expect("writes");
            refresh(folder.path(), &installed).expect("it can be written");
            fs::read_to_string(&config).ok()
        };
        assert_eq!(depending("{ path = \"../flow\" }"), None);
        for old in [None, Some(HEAD)] {
            if let Some(old) = old {
                writer::replace(&config, old.as_bytes()).expect("writes");
            }
            let text = depending("\"0.1.0\"").expect("it is written");
            let (_, path) = text.split_once("path = \"").expect("it has a path");
            let (path, _) = path.split_once('"').expect("it ends");
            assert!(Path::new(path).join("Cargo.toml").is_file(), "{text}");
        }
        writer::replace(&config, b"[build]\n").expect("writes");
        assert_eq!(depending("\"0.1.0\"").as_deref(), Some("[build]\n"));
    }
}
