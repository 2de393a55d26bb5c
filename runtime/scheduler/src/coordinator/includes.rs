//! Dataset files that a coordinator includes and that are read when a job is submitted: those whose paths depend on properties.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::atomic::AtomicBool,
};

use hpdlc_core::{
    coordinator::{
        JobValues,
        dataset_file::{self, DatasetFile},
    },
    el::parser,
};
use hpdlc_files::{Access, AccessSettings, Uri};
use hpdlc_host::exit::RunError;
use hpdlc_program::coordinator_texts::DatasetTexts;

/// The maximal size of a file in bytes; far more than any real one has.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The maximal number of files of one `include`, with those that they include.
const MAX_FILES: usize = 1000;

/// The file that is read if a path is a folder.
const FILE_OF_FOLDER: &str = "coordinator.xml";

/// The datasets of the file at `uri` and of those that it includes; the same name in two files is an error.
///
/// # Errors
///
/// Exit 2 if a file cannot be read or is not a file of datasets.
pub fn read(
    uri: &str,
    values: &JobValues,
    settings: &AccessSettings,
) -> Result<BTreeMap<String, DatasetTexts>, RunError> {
    let mut datasets = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![uri.to_owned()];
    while let Some(uri) = waiting.pop() {
        if !seen.insert(uri.clone()) {
            continue;
        }
        if seen.len() > MAX_FILES {
            return Err(RunError::usage(format!(
                "include `{uri}`: more than {MAX_FILES} files include one another"
            )));
        }
        let DatasetFile {
            includes,
            datasets: found,
        } = read_one(&uri, settings)?;
        for include in includes {
            let path = parser::parse_template(&include)
                .map_err(|error| error.to_string())
                .and_then(|path| {
                    let value = values.evaluate_at_submission(&path);
                    value.map_err(|error| error.to_string())
                })
                .map_err(|problem| {
                    RunError::usage(format!("include `{include}` in {uri}: {problem}"))
                })?;
            waiting.push(path);
        }
        for dataset in found {
            let texts = DatasetTexts {
                frequency: dataset.frequency,
                initial_instance: dataset.initial_instance,
                timezone: dataset.timezone,
                uri_template: dataset.uri_template,
                done_flag: dataset.done_flag,
            };
            if datasets.insert(dataset.name.clone(), texts).is_some() {
                return Err(RunError::usage(format!(
                    "{uri}: dataset `{}` is defined twice (E0803)",
                    dataset.name
                )));
            }
        }
    }
    Ok(datasets)
}

fn read_one(uri: &str, settings: &AccessSettings) -> Result<DatasetFile, RunError> {
    let refused = |problem: String| {
        RunError::usage(format!("the included file {uri} cannot be read: {problem}"))
            .with_help("correct the path, or the property that it comes from")
    };
    let is_canceled = AtomicBool::new(false);
    let access = Access::new(settings, &is_canceled);
    let located = access
        .locate(&Uri::parse(uri.trim()))
        .map_err(|error| refused(error.to_string()))?;
    let mut path = located.path();
    let status = located
        .system
        .status(&path)
        .map_err(|error| refused(error.to_string()))?;
    if status.is_some_and(|status| status.is_folder) {
        path.push(FILE_OF_FOLDER);
    }
    let bytes = read_bytes(&*located.system, &path).map_err(refused)?;
    let text = String::from_utf8(bytes).map_err(|error| refused(error.to_string()))?;
    dataset_file::parse(&text).map_err(refused)
}

fn read_bytes(system: &dyn hpdlc_files::FileSystem, path: &Path) -> Result<Vec<u8>, String> {
    system
        .read(path, MAX_BYTES)
        .map_err(|error| format!("{}: {error}", path.display()))
}
