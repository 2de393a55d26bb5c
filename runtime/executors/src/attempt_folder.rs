//! The folder of an attempt: created empty, and the files in it whose paths are passed to programs.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hpdlc_host::clock;
use hpdlc_launcher::Attempt;

use crate::{AttemptPlace, StartError};

/// Creates an empty folder for the attempt, removing what an owner that died may have left in it.
pub fn make_empty_folder(folder: &Path) -> Result<(), StartError> {
    match fs::remove_dir_all(folder) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(StartError::machine(folder, &error)),
    }
    fs::create_dir_all(folder).map_err(|error| StartError::machine(folder, &error))
}

/// The name of [`output_properties`].
pub const OUTPUT_PROPERTIES: &str = "output.properties";

/// The file that a program writes for `wf:actionData`.
pub fn output_properties(attempt: &Attempt) -> PathBuf {
    attempt.folder().join(OUTPUT_PROPERTIES)
}

/// The properties that Oozie's launcher gives to Java programs (`LauncherAM`).
pub fn system_properties(place: &AttemptPlace<'_>) -> [(&'static str, String); 10] {
    let file = |name: &str| place.attempt.folder().join(name).display().to_string();
    [
        ("oozie.job.id", place.job_id.to_owned()),
        ("oozie.launcher.job.id", place.job_id.to_owned()),
        (
            "oozie.action.id",
            format!("{}@{}", place.job_id, place.node),
        ),
        (
            "oozie.action.conf.xml",
            place.attempt.action_xml().display().to_string(),
        ),
        (
            "oozie.action.output.properties",
            output_properties(place.attempt).display().to_string(),
        ),
        ("oozie.action.externalChildIDs", file("externalChildIDs")),
        ("oozie.action.stats.properties", file("stats.properties")),
        ("oozie.action.newId", file("newId")),
        ("oozie.action.error.properties", file("error.properties")),
        ("oozie.job.launch.time", clock::now_millis().to_string()),
    ]
}
