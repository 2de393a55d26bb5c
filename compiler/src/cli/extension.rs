//! `hpdlc new extension` and `hpdlc extension`: crates of extensions, and their manifests.

use std::path::{Path, PathBuf};

use crate::{
    cli::{EXIT_FINE, NewArguments, NewThing, output::CommandOutput},
    driver::{extension_code, new_extension},
};

/// Begins an extension.
pub(super) fn begin(arguments: NewArguments, output: &mut CommandOutput) -> u8 {
    let NewArguments {
        what: NewThing::Extension,
        name,
        output: folder,
    } = arguments;
    let folder = folder.unwrap_or_else(|| PathBuf::from(&name));
    match new_extension::write(&name, &folder) {
        Ok(()) => {
            let shown = folder.display();
            output
                .progress()
                .say("Written", &format!("extension `{name}` in {shown}"));
            output.answer(&format!(
                "Name it in `hpdl.toml`:\n\n[extensions]\n{name} = {{ path = {} }}\n",
                serde_json::Value::from(shown.to_string())
            ))
        }
        Err(failure) => output.failure(&failure),
    }
}

/// Writes the manifest of the extension in `folder`.
pub(super) fn write_manifest(folder: &Path, output: &mut CommandOutput) -> u8 {
    match extension_code::write_manifest(folder, &output.progress()) {
        Ok((path, has_changed)) => {
            let status = if has_changed { "Written" } else { "Unchanged" };
            output.progress().say(status, &path.display().to_string());
            EXIT_FINE
        }
        Err(failure) => output.failure(&failure),
    }
}
