//! The URIs by which a job finds what was compiled in.
//!
//! A child is registered by the URI that led to it, by every URI that a mapping has for its folder, and by its path relative
//! to the application: a job may be given another path of the application, or another spelling of it, than the compiler.

use std::{collections::BTreeSet, path::Path};

use hpdlc_core::app_uri::{APP_PATH, AppLocation, normalized};

use super::{CheckedApp, CompiledApplication, identity};
use crate::driver::{
    locate::{COORDINATOR_XML, WORKFLOW_XML},
    location::Location,
    mapping::Mappings,
};

/// Adds the URIs that follow from those by which the children of a workflow were found.
pub(super) fn complete(application: &mut CompiledApplication, mappings: &Mappings) {
    if application.children.is_empty() {
        return;
    }
    let own = &application.apps[0];
    let own_uri = own.kept_uri.clone();
    let own_folder = identity(&own.location.folder);
    let own_places: Vec<AppLocation> = mappings
        .uris_of(&own_folder)
        .iter()
        .map(|uri| AppLocation::of(uri))
        .collect();
    let mut more = Vec::new();
    for (uri, place) in &application.uris {
        let asked = AppLocation::of(uri);
        let ways = own_places.iter().filter_map(|own| asked.relative_to(own));
        let ways = ways.filter(|way| !way.is_empty());
        more.extend(ways.map(|way| (format!("{own_uri}/{way}"), *place)));
    }
    for (place, app) in application.apps.iter().enumerate() {
        let folder = identity(&app.location.folder);
        let below = folder.strip_prefix(&own_folder).ok().and_then(Path::to_str);
        let below = below.filter(|_| place > 0);
        let from_own = below.map(|rest| match rest {
            "" => own_uri.clone(),
            rest => format!("{own_uri}/{rest}"),
        });
        let uris = mappings.uris_of(&folder).into_iter().chain(from_own);
        more.extend(uris.map(|uri| (of_document(&uri, app), place)));
    }
    for (uri, place) in more {
        application.uris.entry(uri).or_insert(place);
    }
}

/// The URIs by which the jobs of a coordinator or bundle at `own` find what it starts: the document at `started`, found by
/// `asked`.
pub(super) fn of_started(
    asked: &str,
    started: &Location,
    own: &Location,
    mappings: &Mappings,
) -> Vec<String> {
    let (own_folder, folder) = (identity(&own.folder), identity(&started.folder));
    let place = AppLocation::of(asked);
    let own_places = mappings.uris_of(&own_folder);
    let ways = own_places
        .iter()
        .filter_map(|own| place.clone().folder().relative_to(&AppLocation::of(own)));
    let below = folder.strip_prefix(&own_folder).ok().and_then(Path::to_str);
    let from_own = ways
        .chain(below.map(str::to_owned))
        .map(|way| normalized(&format!("{APP_PATH}/{way}")));
    let folders: BTreeSet<String> = mappings
        .uris_of(&folder)
        .into_iter()
        .chain(from_own)
        .collect();
    let name = started.document.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default();
    let is_usual = name == COORDINATOR_XML;
    let mut uris = vec![asked.to_owned()];
    match asked
        .strip_suffix(name)
        .filter(|folder| folder.ends_with('/'))
    {
        Some(folder) if is_usual => uris.push(normalized(folder)),
        None if is_usual => uris.push(format!("{asked}/{name}")),
        Some(_) | None => {}
    }
    for folder in folders {
        if name != WORKFLOW_XML {
            uris.push(format!("{folder}/{name}"));
        }
        if name == WORKFLOW_XML || is_usual {
            uris.push(folder);
        }
    }
    let mut seen = BTreeSet::new();
    uris.retain(|uri| seen.insert(uri.clone()));
    uris
}

/// The URI of a document in the folder that `folder` denotes.
fn of_document(folder: &str, app: &CheckedApp) -> String {
    let name = app.location.document.file_name();
    match name.and_then(|name| name.to_str()) {
        Some(name) if name != WORKFLOW_XML => format!("{folder}/{name}"),
        Some(_) | None => folder.to_owned(),
    }
}
