//! `hpdl-extension.json`: what the compiler knows of an extension without running it.

use std::{env, fs, path::Path};

use serde::Serialize;

use super::{
    extension::Extension,
    schema::{FunctionSchema, Schema, TypeSchema},
};
use crate::signature::Signature;

/// The name of the file, beside the `Cargo.toml` of the extension.
const FILE: &str = "hpdl-extension.json";

/// The version of the format.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Manifest {
    format: u32,
    name: &'static str,
    types: Vec<TypeSchema>,
    actions: Vec<NamedAction>,
    /// Functions of expressions.
    functions: &'static [&'static Signature],
}

#[derive(Serialize)]
struct NamedAction {
    name: &'static str,
    #[serde(flatten)]
    schema: FunctionSchema,
}

impl Extension {
    /// The text of its manifest, by what its actions say of themselves. A generated [`Extension::manifest`] calls it.
    pub fn described(&self) -> String {
        let mut manifest = Manifest {
            format: FORMAT,
            name: self.name,
            types: Vec::new(),
            actions: Vec::new(),
            functions: self.functions,
        };
        for (name, action) in self.actions {
            match action.schema {
                Schema::Unknown => {}
                Schema::Function(schema) => manifest.actions.push(NamedAction {
                    name,
                    schema: schema(),
                }),
                Schema::Type(schema) => manifest.types.push(schema()),
            }
        }
        let mut text =
            serde_json::to_string_pretty(&manifest).expect("names and lists of names can be JSON");
        text.push('\n');
        text
    }
}

/// Compares the manifest in the folder of an extension's package with its code; with `HPDL_BLESS=1` in the environment it is written. For
/// the test that `extension!` makes.
///
/// # Panics
///
/// It differs, or cannot be read or written.
pub fn hold_to_manifest(extension: &Extension, package: &str) {
    let path = Path::new(package).join(FILE);
    let expected = (extension.manifest)();
    if env::var_os("HPDL_BLESS").is_some_and(|value| value == "1") {
        if let Err(error) = fs::write(&path, expected) {
            panic!("{}: {error}", path.display());
        }
        return;
    }
    let remedy = "write it by `HPDL_BLESS=1 cargo test`, and look at what has changed";
    match fs::read_to_string(&path) {
        Ok(text) if text == expected => {}
        Ok(_) => panic!(
            "{} is not what the code of `{}` says: {remedy}",
            path.display(),
            extension.name
        ),
        Err(error) => panic!("{}: {error}; {remedy}", path.display()),
    }
}
