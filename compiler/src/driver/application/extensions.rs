//! The extensions that an application may use: those of its `hpdl.toml`, as their manifests describe them.

use super::{Location, Session};
use crate::{
    driver::{
        extension_manifest,
        mistakes::invalid_extension::InvalidExtension,
        settings::{DeclaredExtension, ProjectSettings},
    },
    lower::Extensions,
    model::extension::Extension,
};

impl Session {
    pub(super) fn read_extensions(
        &mut self,
        settings: &ProjectSettings,
        location: &Location,
    ) -> Extensions {
        let mut known: Vec<Extension> = Vec::new();
        let mut is_complete = !settings.has_unread_extension;
        for declared in &settings.extensions {
            let extension = self.read_extension(declared, location);
            let Some(extension) = extension else {
                is_complete = false;
                continue;
            };
            if let Some((what, other)) = extension_manifest::shared(&extension, &known) {
                self.sink.emit(InvalidExtension::Shared {
                    what,
                    place: declared.place,
                    name: extension.name.clone(),
                    other: other.name.clone(),
                });
                is_complete = false;
                continue;
            }
            known.push(extension);
        }
        match (known.is_empty(), is_complete) {
            (true, true) => Extensions::NONE,
            _ => Extensions::new(known, is_complete),
        }
    }

    /// `None` if there is no valid manifest, which is reported.
    fn read_extension(
        &mut self,
        declared: &DeclaredExtension,
        location: &Location,
    ) -> Option<Extension> {
        let shown = location.shown(&declared.manifest);
        // Other failures are reported when it is read.
        let is_missing = declared.manifest.symlink_metadata().is_err();
        let file = self
            .files
            .text_if_present(&declared.manifest, &shown, &mut self.sink);
        let Some(file) = file else {
            if is_missing {
                let folder = declared.folder.as_deref().map(|folder| {
                    let has_crate = folder.join("Cargo.toml").is_file();
                    (location.shown(folder), has_crate)
                });
                self.sink.emit(InvalidExtension::NoManifest {
                    name: declared.name.clone(),
                    place: declared.place,
                    manifest: shown,
                    folder,
                });
            }
            return None;
        };
        let text = self.files.sources.text(file);
        extension_manifest::read(declared, (file, text), &mut self.sink)
    }
}
