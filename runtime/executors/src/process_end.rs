//! The end of a local process: its exit, and its output.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, Read, Seek, SeekFrom},
    path::Path,
};

use hpdlc_core::properties;
use hpdlc_launcher::{Attempt, ExitRecord};
use hpdlc_program::failure::ActionError;

use crate::{Completion, time_limit::time_over};

/// The default maximum bytes of captured output.
pub const MAX_OUTPUT: u64 = 1024 * 1024;

/// The setting that overrides it.
pub const MAX_OUTPUT_DATA: &str = "oozie.action.max.output.data";

/// The external status that Oozie shows for a process that failed.
pub const FAILED: &str = "FAILED/KILLED";

/// How many bytes at the end of standard error are searched for a message.
const ERROR_TAIL: u64 = 4096;

/// Data for `wf:actionData`, and warnings about it.
pub type CapturedData = (BTreeMap<String, String>, Vec<String>);

/// Reads what a program wrote to a properties file or printed. The file is kept.
///
/// The inner error is JA018, as in Oozie: there are more than `limit` bytes. Truncated data would lead decisions the wrong way.
pub fn captured(
    attempt: &Attempt,
    path: &Path,
    limit: u64,
) -> io::Result<Result<CapturedData, ActionError>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Ok(CapturedData::default()));
        }
        Err(error) => return Err(error),
    };
    let size = file.metadata()?.len();
    if size > limit {
        let node = attempt.folder().parent().and_then(Path::file_name);
        let what = format!(
            "the captured output of action `{}`",
            node.unwrap_or_default().to_string_lossy()
        );
        let remedy = (
            "print less",
            "in its configuration, for the job or for the site",
        );
        return Ok(Err(too_much(&what, size, limit, remedy)));
    }
    let mut bytes = Vec::new();
    // A process that is still writing is not waited for.
    file.take(limit).read_to_end(&mut bytes)?;
    let captured = properties::parse_captured(&String::from_utf8_lossy(&bytes));
    let warnings = captured
        .warnings
        .iter()
        .map(|warning| format!("captured output: {warning}"));
    let warnings = warnings.collect();
    Ok(Ok((captured.data, warnings)))
}

/// JA018: an action has printed or returned more than is captured; `size` and `limit` are bytes. `remedy` is what it can do instead,
/// and where the limit can be raised.
pub fn too_much(what: &str, size: u64, limit: u64, (remedy, places): (&str, &str)) -> ActionError {
    let problem = format!(
        "{what} is {size} bytes long, and {MAX_OUTPUT_DATA} allows {limit}; \
         have the action {remedy}, or set {MAX_OUTPUT_DATA} to more, {places}"
    );
    ActionError::error("JA018", problem)
}

/// The last non-blank line of a file.
pub fn last_line(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(ERROR_TAIL)))
        .ok()?;
    let mut last = None;
    for line in io::BufReader::new(file).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if !line.is_empty() {
            last = Some(line);
        }
    }
    last
}

/// Judges the end of a process; `exit_error` maps its exit code to an error.
pub fn completion(
    record: &ExitRecord,
    exit_error: impl FnOnce(i32) -> ActionError,
    data: impl FnOnce() -> io::Result<Result<CapturedData, ActionError>>,
) -> io::Result<Completion> {
    let error = match (record.code, record.signal, &record.error) {
        _ if record.exceeded.is_some() => {
            let seconds = record.exceeded.unwrap_or_default();
            Some(time_over("the process", seconds))
        }
        (Some(0), _, _) => None,
        (Some(code), _, _) => Some(exit_error(code)),
        (None, Some(signal), _) => Some(ActionError::error(
            "JA018",
            format!("the process was ended by signal {signal}"),
        )),
        (None, None, problem) => Some(ActionError::error(
            "JA018",
            problem
                .clone()
                .unwrap_or_else(|| "the process left no exit status".to_owned()),
        )),
    };
    Ok(match error {
        Some(error) => Completion::failed(error, FAILED),
        None => match data()? {
            Ok((data, warnings)) => Completion {
                error: None,
                external_id: None,
                external_status: "SUCCEEDED".to_owned(),
                data,
                warnings,
            },
            Err(error) => Completion::failed(error, FAILED),
        },
    })
}
