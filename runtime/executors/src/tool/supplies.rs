//! The action's own files and what the site says of its tool, gathered on the machine of the application: the tool may run on another one.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use hpdlc_files::{Access, error};
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use super::{
    Tool, libraries,
    resources::{self, Resource, ResourceRole, WrittenPath},
};
use crate::AttemptPlace;

/// The folder, in that of the attempt, of files that go to another machine.
const PACKED: &str = ".hpdl-files";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplies {
    /// `file`, `archive`, scripts, the application's `lib`, libraries: each name once.
    pub resources: Vec<Resource>,
    /// The result of the type's [`ToolType::find`](super::ToolType).
    pub found: Option<String>,
    /// The result of the type's [`ToolType::site_properties`](super::ToolType).
    pub site_properties: BTreeMap<String, String>,
}

impl Supplies {
    /// Locates them. Blocks.
    ///
    /// # Errors
    ///
    /// JA008: a file is missing; EJ001, failed: the requested sharelib is; JA001 to JA009: a file system fails.
    pub fn gather(tool: &Tool, place: &AttemptPlace<'_>) -> Result<Supplies, ActionError> {
        let access = Access::new(&tool.prepare.access, place.is_canceled);
        let r#type = tool.r#type();
        let mut all = resources::of_elements(tool, place)?;
        let is_sent = !tool.sent_scripts().is_empty();
        let scripts = (r#type.scripts)(tool).into_iter();
        for script in scripts.filter(|_| !is_sent) {
            for written in resources::written(&script, false) {
                let uri = resources::locate(tool, place, &written.path)?;
                let written = WrittenPath {
                    role: ResourceRole::Link,
                    ..written
                };
                resources::add(&mut all, written, uri);
            }
        }
        libraries::add(&mut all, tool, place, &access)?;
        Ok(Supplies {
            found: (r#type.find)(tool, place, &all)?,
            site_properties: (r#type.site_properties)(tool)?,
            resources: all,
        })
    }

    /// Puts into the folder what the tool needs there and is not there yet; returns the JARs among it, in the order of the class path.
    ///
    /// # Errors
    ///
    /// JA008: a file is missing; JA001 to JA009: its file system fails.
    pub fn bring(
        &self,
        tool: &Tool,
        folder: &Path,
        access: &Access<'_>,
    ) -> Result<Vec<PathBuf>, ActionError> {
        let mut jars = Vec::new();
        for resource in self.resources.iter().filter(|it| is_needed(tool, it)) {
            let target = folder.join(&resource.name);
            // A container has what is on the cluster.
            let file = match target.symlink_metadata() {
                Ok(_) => target,
                Err(_) => resources::bring(resource, folder, access)?,
            };
            if resource.role == ResourceRole::Jar {
                jars.push(file);
            }
        }
        Ok(jars)
    }

    /// Makes them ready for another machine: the files of this one go into the folder of the attempt, as do those that the tool needs
    /// there from elsewhere, unless `leave` leaves them where they are.
    ///
    /// # Errors
    ///
    /// As [`Supplies::bring`]. JA018: a `file` is a folder.
    pub fn pack(
        &mut self,
        tool: &Tool,
        folder: &Path,
        access: &Access<'_>,
        leave: &mut dyn FnMut(&Resource) -> bool,
    ) -> Result<(), ActionError> {
        let n_resources = self.resources.len();
        for (number, resource) in self.resources.iter_mut().enumerate() {
            match resource.local() {
                Some(file) => resource.uri = packed(&file, folder, number)?,
                None if is_needed(tool, resource) && !leave(resource) => {
                    resources::bring(resource, folder, access)?;
                }
                None => {}
            }
        }
        if let Some(found) = &mut self.found
            && let Some(file) = resources::local(found)
            // One that is missing here may be a file of the nodes.
            && file.exists()
        {
            *found = packed(&file, folder, n_resources)?;
        }
        Ok(())
    }

    /// The same in `to`: they were packed in the folder `from`.
    #[must_use]
    pub fn moved(mut self, from: &Path, to: &Path) -> Supplies {
        let (from, to) = (resources::file_uri(from), resources::file_uri(to));
        let uris = self.resources.iter_mut().map(|resource| &mut resource.uri);
        for uri in uris.chain(&mut self.found) {
            if let Some(rest) = uri.strip_prefix(&from) {
                *uri = format!("{to}{rest}");
            }
        }
        self
    }
}

/// Whether the tool needs it in its folder. JARs are always needed there: the tool reads them before it ships them.
fn is_needed(tool: &Tool, resource: &Resource) -> bool {
    resource.role == ResourceRole::Jar || tool.r#type().has_files_here
}

/// The URI of a file of this machine under its own name in the folder of the attempt.
fn packed(file: &Path, folder: &Path, number: usize) -> Result<String, ActionError> {
    let own = folder.join(PACKED).join(number.to_string());
    let target = own.join(file.file_name().unwrap_or_default());
    if !file.exists() {
        let problem = format!("file `{}` does not exist", file.display());
        return Err(ActionError::error("JA008", problem));
    }
    if file.is_dir() {
        let problem = format!(
            "{} is a folder, and a container gets files and archives alone",
            file.display()
        );
        return Err(ActionError::error("JA018", problem));
    }
    let link = || -> io::Result<()> {
        fs::create_dir_all(&own)?;
        let meant = fs::canonicalize(file)?;
        // A second name, or a copy where that cannot be.
        fs::hard_link(&meant, &target).or_else(|_| fs::copy(&meant, &target).map(drop))
    };
    link().map_err(|error| error::of_file(&error, &format!("cannot copy {}", file.display())))?;
    Ok(resources::file_uri(&target))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{resource, tool};

    /// What a pig action with a script, a JAR, an archive and two files on the cluster, the second of which is left there, has.
    fn supplies(here: &Path) -> Supplies {
        let uri = |name: &str| resources::file_uri(&here.join(name));
        Supplies {
            resources: vec![
                resource(&uri("a.txt"), "renamed.txt", ResourceRole::Link),
                resource(&uri("u.jar"), "u.jar", ResourceRole::Jar),
                resource(&uri("d.tar"), "d", ResourceRole::Archive),
                resource("hdfs://nn/left", "left", ResourceRole::Link),
            ],
            found: Some(uri("app.py")),
            site_properties: BTreeMap::new(),
        }
    }

    #[test]
    fn what_is_packed_is_used_in_another_folder() {
        let root = tempfile::tempdir().unwrap();
        let (here, folder) = (root.path().join("app"), root.path().join("1"));
        for folder in [&here, &folder] {
            fs::create_dir(folder).unwrap();
        }
        for name in ["a.txt", "u.jar", "app.py"] {
            fs::write(here.join(name), name).unwrap();
        }
        let mut archive = tar::Builder::new(fs::File::create(here.join("d.tar")).unwrap());
        archive
            .append_path_with_name(here.join("a.txt"), "inside")
            .unwrap();
        archive.finish().unwrap();
        let settings = hpdlc_files::AccessSettings::default();
        let never = AtomicBool::new(false);
        let access = Access::new(&settings, &never);
        let pig = tool(ToolKind::Pig, []);
        let mut supplies = supplies(&here);
        let mut left = Vec::new();
        let mut leave = |resource: &Resource| {
            left.push(resource.uri.clone());
            true
        };
        supplies.pack(&pig, &folder, &access, &mut leave).unwrap();
        assert_eq!(left, ["hdfs://nn/left"]);
        // The machine of the application is another one.
        fs::remove_dir_all(&here).unwrap();
        let there = root.path().join("container");
        fs::rename(&folder, &there).unwrap();
        fs::write(there.join("left"), "by the node").unwrap();
        let supplies = supplies.moved(&folder, &there);
        let jars = supplies.bring(&pig, &there, &access).unwrap();
        assert_eq!(jars, [there.join("u.jar")]);
        for (name, text) in [
            ("renamed.txt", "a.txt"),
            ("u.jar", "u.jar"),
            ("d/inside", "a.txt"),
            ("left", "by the node"),
        ] {
            let found = fs::read_to_string(there.join(name)).unwrap();
            assert_eq!(found, text, "{name}");
        }
        assert_eq!(supplies.resources[3].uri, "hdfs://nn/left");
        let found = resources::local(&supplies.found.unwrap()).unwrap();
        assert!(found.starts_with(&there) && found.ends_with("app.py"));
        // Their endings say what the tasks of jobs get.
        let archive = supplies.resources[2].local().unwrap();
        assert!(archive.ends_with("d.tar"), "{}", archive.display());
    }

    #[test]
    fn what_cannot_be_packed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let settings = hpdlc_files::AccessSettings::default();
        let never = AtomicBool::new(false);
        let access = Access::new(&settings, &never);
        let hive = tool(ToolKind::Hive, []);
        for (file, code) in [("none", "JA008"), ("", "JA018")] {
            let uri = resources::file_uri(&folder.path().join(file));
            let mut supplies = Supplies {
                resources: vec![resource(&uri, "x", ResourceRole::Link)],
                ..Supplies::default()
            };
            let packed = supplies.pack(&hive, folder.path(), &access, &mut |_| true);
            assert_eq!(packed.unwrap_err().code, code, "{file}");
        }
    }

    #[test]
    fn a_file_that_only_the_nodes_have_is_left_to_them() {
        let folder = tempfile::tempdir().unwrap();
        let settings = hpdlc_files::AccessSettings::default();
        let never = AtomicBool::new(false);
        let access = Access::new(&settings, &never);
        for found in [
            "file:///no/such/app.jar",
            "spark-internal",
            "hdfs://nn/a.jar",
            "local:///opt/a.jar",
        ] {
            let mut supplies = Supplies {
                found: Some(found.to_owned()),
                ..Supplies::default()
            };
            let spark = tool(ToolKind::Spark, []);
            supplies
                .pack(&spark, folder.path(), &access, &mut |_| true)
                .unwrap();
            assert_eq!(supplies.found.as_deref(), Some(found));
        }
    }
}
