//! The site's settings file.

use std::{collections::BTreeMap, env, path::PathBuf};

use hpdlc_core::configuration;

use crate::{exit::RunError, home::Home, named_file};

/// The file that `HPDL_SITE` names, otherwise `hpdl-site.xml` in the state folder if it exists.
pub fn path(home: &Home) -> Option<PathBuf> {
    env::var_os("HPDL_SITE")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(home.site_file()).filter(|path| path.exists()))
}

/// Its properties.
///
/// # Errors
///
/// If the file cannot be read or is not a Hadoop configuration.
pub fn read(home: &Home) -> Result<BTreeMap<String, String>, RunError> {
    let Some(path) = path(home) else {
        return Ok(BTreeMap::new());
    };
    let text = named_file::read_text(&path).map_err(|error| {
        RunError::usage(format!("cannot read settings {}: {error}", path.display()))
    })?;
    let site = configuration::parse(&text)
        .map_err(|error| RunError::usage(format!("settings {}: {error}", path.display())))?;
    Ok(site.to_map())
}
