//! The secrets that properties and settings refer to, read when something uses them, and every time again: a new one counts from then on.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    env, fmt,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use hpdlc_core::secrets::references::{self, References, SecretSource, find, occurs_in};
use serde_json::Value;

/// Shorter values are not looked for in other text: they would be found by chance.
const MIN_HIDDEN: usize = 4;

/// Larger files are no secrets.
const MAX_BYTES: u64 = 1 << 20;

/// How long a secret that is only to be masked is not read again.
const MASKED_FOR: Duration = Duration::from_secs(1);

/// Why a reference has no value, with the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadSecret {
    pub reference: String,
    pub problem: String,
}

impl fmt::Display for UnreadSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "secret {}: {}", self.reference, self.problem)
    }
}

impl std::error::Error for UnreadSecret {}

/// The text with the secret of each reference in its place.
///
/// # Errors
///
/// A variable that is not set, a file that cannot be read, or one that is empty.
pub fn resolved(text: &str) -> Result<Cow<'_, str>, UnreadSecret> {
    if !occurs_in(text) {
        return Ok(Cow::Borrowed(text));
    }
    references::replaced(text, |reference| read(reference).map(Some)).map(Cow::Owned)
}

/// Replaces these references in every string of `value`; returns whether there were any. The same text elsewhere, such as in the output of
/// a program, is only text.
///
/// # Errors
///
/// As [`resolved`].
pub fn resolve_in(value: &mut Value, references: &References) -> Result<bool, UnreadSecret> {
    let mut is_changed = false;
    match value {
        Value::String(text) => {
            if occurs_in(text) {
                let replaced = references::replaced(text, |reference| {
                    let is_meant = references.contains(reference);
                    is_meant.then(|| read(reference)).transpose()
                })?;
                is_changed = replaced != *text;
                *text = replaced;
            }
        }
        Value::Array(items) => {
            for item in items {
                is_changed |= resolve_in(item, references)?;
            }
        }
        Value::Object(members) => {
            for (_, member) in members.iter_mut() {
                is_changed |= resolve_in(member, references)?;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(is_changed)
}

/// Puts references in place of their secrets, as texts may be stored.
pub fn hide_in<'t>(texts: impl IntoIterator<Item = &'t mut String>, references: &References) {
    let secrets: Vec<(&str, String)> = references
        .iter()
        .filter_map(|reference| Some((reference, read(reference).ok()?)))
        .filter(|(_, secret)| secret.len() >= MIN_HIDDEN)
        .collect();
    for text in texts {
        for (reference, secret) in &secrets {
            if text.contains(secret) {
                *text = text.replace(secret, reference);
            }
        }
    }
}

/// The secrets that the references in `text` have now, to be masked; those that cannot be read are left out. Mask after mask is made for a
/// list of jobs: a value is read at most once a second.
pub fn to_mask(text: &str) -> Vec<String> {
    type ReadSecrets = BTreeMap<String, (Instant, Option<String>)>;
    static READ: Mutex<ReadSecrets> = Mutex::new(BTreeMap::new());
    if !occurs_in(text) {
        return Vec::new();
    }
    let mut known = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let values = find(text).into_iter().filter_map(|range| {
        let reference = &text[range];
        if let Some((time, value)) = known.get(reference)
            && time.elapsed() < MASKED_FOR
        {
            return value.clone();
        }
        let value = read(reference).ok();
        known.insert(reference.to_owned(), (Instant::now(), value.clone()));
        value
    });
    values.collect()
}

/// The secret of a reference.
fn read(reference: &str) -> Result<String, UnreadSecret> {
    let value = match SecretSource::of(reference) {
        Some(SecretSource::Variable(name)) => of_variable(name),
        Some(SecretSource::File(path)) => of_file(Path::new(path)),
        None => Err("it is no reference".to_owned()),
    };
    value.map_err(|problem| UnreadSecret {
        reference: reference.to_owned(),
        problem,
    })
}

fn of_variable(name: &str) -> Result<String, String> {
    match env::var(name) {
        Ok(value) if value.is_empty() => Err("the environment variable is empty".to_owned()),
        Ok(value) => Ok(value),
        Err(env::VarError::NotPresent) => {
            Err("the environment variable is not set where the job is driven".to_owned())
        }
        Err(env::VarError::NotUnicode(_)) => {
            Err("the environment variable is not UTF-8".to_owned())
        }
    }
}

/// The text of a file without the end of its last line.
fn of_file(path: &Path) -> Result<String, String> {
    if !path.is_absolute() {
        return Err("the path is not absolute".to_owned());
    }
    let read = || -> io::Result<String> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        if metadata.len() > MAX_BYTES {
            return Err(io::Error::other("it is larger than 1 MiB"));
        }
        let mut text = String::new();
        file.take(MAX_BYTES).read_to_string(&mut text)?;
        Ok(text)
    };
    let mut text = read().map_err(|error| error.to_string())?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    if text.is_empty() {
        return Err("the file is empty".to_owned());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_is_the_text_of_its_file_without_the_last_end_of_line() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content, expected) in [
            ("plain", &b"s3cret"[..], Some("s3cret")),
            ("line", b"s3cret\n", Some("s3cret")),
            ("dos", b"s3cret\r\n", Some("s3cret")),
            ("lines", b"a\nb\n\n", Some("a\nb\n")),
            ("empty", b"\n", None),
            ("latin", b"\xe4", None),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            let text = format!("<${{file:{}}}>", path.display());
            let found = resolved(&text).ok().map(Cow::into_owned);
            assert_eq!(found, expected.map(|it| format!("<{it}>")), "{name}");
            fs::remove_file(&path).unwrap();
            let refused = resolved(&text).unwrap_err();
            assert_eq!(format!("<{}>", refused.reference), text);
        }
        assert_eq!(resolved("${env:PATH}").unwrap(), env::var("PATH").unwrap());
        for wrong in [
            "${file:relative}",
            "${file:/}",
            "${env:HPDL_NO_SUCH_VARIABLE}",
        ] {
            let refused = resolved(wrong).unwrap_err();
            assert!(
                refused
                    .to_string()
                    .starts_with(&format!("secret {wrong}: "))
            );
        }
    }

    #[test]
    fn only_the_references_of_the_job_are_resolved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own");
        fs::write(&path, "s3cret\n").unwrap();
        let own = format!("${{file:{}}}", path.display());
        let conf = [format!("jdbc:x?password={own}"), "plain".to_owned()];
        let references = References::of(&conf);
        let mut value = json!({ "argv": ["-p", own, "${env:HOME}"], "n": 1 });
        assert_eq!(resolve_in(&mut value, &references), Ok(true));
        let expected = json!({ "argv": ["-p", "s3cret", "${env:HOME}"], "n": 1 });
        assert_eq!(value, expected);
        assert_eq!(resolve_in(&mut value, &references), Ok(false));
        let mut message = "login with s3cret failed".to_owned();
        hide_in([&mut message], &references);
        assert_eq!(message, format!("login with {own} failed"));
        assert_eq!(to_mask(&conf[0]), ["s3cret"]);
        fs::remove_file(&path).unwrap();
        assert!(resolve_in(&mut json!([own]), &references).is_err());
        hide_in([&mut message], &references);
        assert_eq!(message, format!("login with {own} failed"));
    }
}
