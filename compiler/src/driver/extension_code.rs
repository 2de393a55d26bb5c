//! The code of extensions: whether their manifests say what it says, and manifests written from it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use toml::de::{DeTable, DeValue};

use crate::{
    analysis::FeatureSet,
    driver::{
        Failure, new_extension, place,
        progress::ProgressLines,
        runtime_cache::{self, CachedRuntime},
        settings::{DeclaredExtension, MANIFEST},
        toolchain, writer,
    },
    source::{FileId, Span},
};

/// Refuses manifests that differ from the code that `runtime` has: what was checked is not what would run.
///
/// # Errors
///
/// One does, or cannot be read.
pub fn check_manifests(
    extensions: &[DeclaredExtension],
    runtime: &CachedRuntime,
) -> Result<(), Failure> {
    for extension in extensions {
        let path = &extension.manifest;
        let text = fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
        let Some(built) = runtime.extensions.get(&extension.name) else {
            continue;
        };
        if text == built.manifest {
            continue;
        }
        let failure = Failure::new(format!(
            "the manifest of extension `{}` is stale",
            extension.name
        ))
        .note(difference(&text, &built.manifest, path));
        return Err(match &extension.folder {
            Some(folder) => failure.help(format!(
                "`hpdlc extension {}` writes it again; then check the application with it",
                folder.display()
            )),
            None => failure.help(format!(
                "copy `{MANIFEST}` of the crate again, or name the `branch`, `tag`, `rev` or `version` that the copy is of"
            )),
        });
    }
    Ok(())
}

/// The first line that differs.
fn difference(written: &str, code: &str, path: &Path) -> String {
    let mut lines = written.lines().zip(code.lines());
    let at = lines.position(|(written, code)| written != code);
    let at = at.unwrap_or_else(|| written.lines().count().min(code.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("nothing").trim().to_owned();
    format!(
        "line {} of `{}` is `{}`, and by the code `{}`",
        at + 1,
        path.display(),
        line(written),
        line(code)
    )
}

/// Writes the manifest of the extension whose crate is in `folder`, and returns its path and whether it has changed.
///
/// # Errors
///
/// There is no such crate, it does not compile, or there is no Rust.
pub fn write_manifest(folder: &Path, progress: &ProgressLines) -> Result<(PathBuf, bool), Failure> {
    let path = folder.join(MANIFEST);
    let name = package_name(folder)?;
    let extension = DeclaredExtension {
        name: name.replace('-', "_"),
        place: Span::new(FileId(0), 0, 0),
        folder: Some(folder.to_owned()),
        source: Vec::new(),
        manifest: path.clone(),
    };
    let places = place::find()?;
    new_extension::refresh(folder, &places)?;
    let toolchain = toolchain::find(&places)?;
    let extensions = std::slice::from_ref(&extension);
    let runtime =
        runtime_cache::ready(&places, &toolchain, FeatureSet::Local, extensions, progress)?;
    let built = runtime.extensions.get(&extension.name).ok_or_else(|| {
        Failure::new(format!(
            "`{}` was compiled without a library",
            folder.display()
        ))
    })?;
    let has_changed = writer::replace_if_changed(&path, built.manifest.as_bytes())
        .map_err(|error| Failure::io("write", &path, &error))?;
    Ok((path, has_changed))
}

/// The name of the package in `folder`.
fn package_name(folder: &Path) -> Result<String, Failure> {
    let path = folder.join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(|error| {
        Failure::io("read", &path, &error)
            .help("name the folder of the extension's crate; `hpdlc new extension NAME` begins one")
    })?;
    let no_package = || {
        Failure::new(format!("`{}` has no package", path.display()))
            .help("name the folder of the extension's own crate")
    };
    let table = DeTable::parse(&text).map_err(|error| no_package().note(error.to_string()))?;
    let Some(DeValue::Table(package)) = table.get_ref().get("package").map(|it| it.get_ref())
    else {
        return Err(no_package());
    };
    match package.get("name").map(|it| it.get_ref()) {
        Some(DeValue::String(name)) => Ok(name.to_string()),
        _ => Err(no_package()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_shown() {
        let path = Path::new("acme/hpdl-extension.json");
        for (written, code, expected) in [
            (
                "{\n a\n}\n",
                "{\n b\n}\n",
                "line 2 of `acme/hpdl-extension.json` is `a`, and by the code `b`",
            ),
            (
                "{\n",
                "{\n b\n",
                "line 2 of `acme/hpdl-extension.json` is `nothing`, and by the code `b`",
            ),
        ] {
            assert_eq!(difference(written, code, path), expected);
        }
    }
}
