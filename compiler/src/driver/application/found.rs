//! Resolves what a document starts or includes: the mappings that follow from its own path, the values in its paths, the
//! local file.

use std::path::Path;

use hpdlc_core::app_uri;

use crate::{
    analysis::JobProperties,
    driver::{
        children::CompileTimeScope,
        location::Location,
        mapping::{Mapping, Mappings},
    },
    model::{Parameter, Property, Template},
};

/// The mappings of a coordinator's folder that follow from its own path, which precede those of the bundle.
pub(super) fn coordinator_mappings(
    scope: &CompileTimeScope,
    location: &Location,
    inherited: &[Mapping],
) -> Vec<Mapping> {
    let own = own_mappings(scope, "oozie.coord.application.path", location);
    inherited.iter().cloned().chain(own).collect()
}

/// The URI of a document's folder, from the property that tells a job the path of its application, and mappings of what is
/// around the folder.
pub(super) fn own_mappings(
    scope: &CompileTimeScope,
    property: &str,
    location: &Location,
) -> Vec<Mapping> {
    let path = scope.property(property).filter(|path| !path.contains("${"));
    let file = location.document.file_name().and_then(|name| name.to_str());
    let (Some(path), Some(file)) = (path, file) else {
        return Vec::new();
    };
    let folder_of = |path: &str| {
        let folder = path.trim_end_matches('/').strip_suffix(file);
        folder.unwrap_or(path).to_owned()
    };
    let kept = scope.property_of_any_user(property);
    let kept = kept.as_deref().unwrap_or(path);
    let own = Mapping::new(&folder_of(path), location.folder.clone()).kept_as(&folder_of(kept));
    own.around().into_iter().chain([own]).collect()
}

/// The values used in paths: where nothing is given, the defaults.
pub(super) fn with_defaults(
    parameters: &[Parameter],
    config_default: &[Property],
    given: &JobProperties,
) -> CompileTimeScope {
    let declared = parameters.iter().filter_map(|parameter| {
        let default = parameter.default.as_ref()?;
        Some((parameter.name.value.clone(), default.value.clone()))
    });
    let defaults = config_default.iter().filter_map(|property| {
        let name = property.name.literal()?.to_owned();
        Some((name, property.value.text.as_str().to_owned()))
    });
    let given = given
        .properties
        .iter()
        .map(|(name, property)| (name.clone(), property.value.clone()));
    CompileTimeScope::of_values(declared.chain(defaults).chain(given).collect(), "")
}

/// The local document that a path in a document at `location` leads to. A folder denotes the document with the usual `name`
/// in it.
pub(super) fn resolve(
    path: &Template,
    scope: &CompileTimeScope,
    location: &Location,
    mappings: &Mappings,
    name: &str,
) -> Option<Location> {
    if path.is_invalid {
        return None;
    }
    let uri = scope.uri(path).ok()?;
    if uri.is_empty() || uri.contains("${") {
        return None;
    }
    let is_relative = !uri.starts_with('/') && !uri.contains(':');
    let found = mappings
        .local(&app_uri::normalized(&uri))
        .or_else(|| is_relative.then(|| location.below(&uri)))?;
    let document = if found.is_dir() {
        found.join(name)
    } else {
        found
    };
    if !document.is_file() {
        return None;
    }
    // Paths in the current folder are written without `./`.
    let document = document
        .strip_prefix(".")
        .map_or(document.clone(), Path::to_owned);
    let archives = [location.archive.as_ref(), mappings.archive_of(&document)];
    Some(Location::of(document, archives.into_iter().flatten()))
}
