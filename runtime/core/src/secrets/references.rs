//! References to secrets in the values of properties and settings: `${env:NAME}` and `${file:/path}`.
//!
//! A value with a reference is stored, passed on and shown as it was written. The secret is read when something uses it, and every time
//! again, so that a new one counts from then on.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    env,
    fs::File,
    io::{self, Read},
    ops::Range,
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde_json::Value;

/// The beginnings of references.
const ENV: &str = "${env:";
const FILE: &str = "${file:";

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

impl std::fmt::Display for UnreadSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "secret {}: {}", self.reference, self.problem)
    }
}

impl std::error::Error for UnreadSecret {}

/// Where the references in `text` are.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("${").map(|at| from + at) {
        let rest = &text[at..];
        let is_one = rest.starts_with(ENV) || rest.starts_with(FILE);
        from = at + 2;
        if let Some(length) = rest.find('}').filter(|_| is_one)
            && !target(&rest[..=length]).is_empty()
        {
            found.push(at..at + length + 1);
            from = at + length + 1;
        }
    }
    found
}

/// Whether `text` has a reference.
pub fn occurs_in(text: &str) -> bool {
    // Most texts have none.
    (text.contains(ENV) || text.contains(FILE)) && !find(text).is_empty()
}

/// Whether `text` is a reference and nothing else.
pub fn is_one(text: &str) -> bool {
    let text = text.trim();
    find(text).first() == Some(&(0..text.len()))
}

/// The name of the variable, or the path of the file.
fn target(reference: &str) -> &str {
    let inner = [ENV, FILE]
        .iter()
        .find_map(|start| reference.strip_prefix(start));
    inner
        .and_then(|inner| inner.strip_suffix('}'))
        .map_or("", str::trim)
}

/// The text with the value of each reference in its place.
///
/// # Errors
///
/// A variable that is not set, a file that cannot be read, or one that is empty.
pub fn resolved(text: &str) -> Result<Cow<'_, str>, UnreadSecret> {
    if !occurs_in(text) {
        return Ok(Cow::Borrowed(text));
    }
    replaced(text, |_| true).map(Cow::Owned)
}

fn replaced(text: &str, is_meant: impl Fn(&str) -> bool) -> Result<String, UnreadSecret> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = 0;
    for range in find(text) {
        let reference = &text[range.clone()];
        if !is_meant(reference) {
            continue;
        }
        whole.push_str(&text[rest..range.start]);
        whole.push_str(&read(reference)?);
        rest = range.end;
    }
    whole.push_str(&text[rest..]);
    Ok(whole)
}

/// The values with references resolved; one that cannot be read stays as it is.
pub fn resolved_where_possible(values: &mut BTreeMap<String, String>) {
    for value in values.values_mut() {
        if let Ok(Cow::Owned(secret)) = resolved(value) {
            *value = secret;
        }
    }
}

/// The value of a reference.
fn read(reference: &str) -> Result<String, UnreadSecret> {
    let target = target(reference);
    let value = if reference.starts_with(ENV) {
        of_variable(target)
    } else {
        of_file(Path::new(target))
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

/// The secrets that the references in `text` have now, to be masked; those that cannot be read are left out. Mask after mask is made for a
/// list of jobs: a value is read at most once a second.
pub(super) fn to_mask(text: &str) -> Vec<String> {
    type Masked = BTreeMap<String, (Instant, Option<String>)>;
    static READ: Mutex<Masked> = Mutex::new(BTreeMap::new());
    let mut known = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let references = find(text);
    let values = references.into_iter().filter_map(|range| {
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

/// The references that a job may use: those in its properties and in the settings of its site. The same text elsewhere, such as in the
/// output of a program, is only text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References(BTreeSet<String>);

impl References {
    pub fn of<'a>(values: impl IntoIterator<Item = &'a String>) -> References {
        let mut all = BTreeSet::new();
        for value in values {
            if occurs_in(value) {
                let found = find(value).into_iter();
                all.extend(found.map(|range| value[range].to_owned()));
            }
        }
        References(all)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `text` has one of them.
    pub fn occur_in(&self, text: &str) -> bool {
        !self.0.is_empty()
            && occurs_in(text)
            && find(text)
                .into_iter()
                .any(|range| self.0.contains(&text[range]))
    }

    /// The text with the references in place of the secrets, as it may be stored.
    pub fn hidden(&self, text: &str) -> String {
        let mut hidden = text.to_owned();
        for reference in &self.0 {
            if let Ok(secret) = read(reference)
                && secret.len() >= MIN_HIDDEN
            {
                hidden = hidden.replace(&secret, reference);
            }
        }
        hidden
    }

    /// Replaces them in every string of `value`.
    ///
    /// # Errors
    ///
    /// As [`resolved`].
    pub fn resolve(&self, value: &mut Value) -> Result<(), UnreadSecret> {
        match value {
            Value::String(text) => {
                if self.occur_in(text) {
                    *text = replaced(text, |reference| self.0.contains(reference))?;
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.resolve(item)?;
                }
            }
            Value::Object(members) => {
                for (_, member) in members.iter_mut() {
                    self.resolve(member)?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use serde_json::json;

    use super::*;

    /// A file in a folder of its own, which the test leaves behind in the system's temporary folder.
    fn file(name: &str, text: &[u8]) -> PathBuf {
        let path = env::temp_dir().join(format!("hpdlc-references-{}-{name}", std::process::id()));
        fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn references_are_found_where_they_are() {
        for (text, expected) in [
            ("${env:A}", &["${env:A}"][..]),
            (
                "x=${env:A_B},y=${file:/run/s x};",
                &["${env:A_B}", "${file:/run/s x}"],
            ),
            ("${${env:A}}", &["${env:A}"]),
            ("${env:A", &[]),
            ("${env:}", &[]),
            ("${env: }", &[]),
            ("${environment}", &[]),
            ("${concat('env:A', b)}", &[]),
            ("$ {env:A}", &[]),
            ("ä${file:/ä}ä", &["${file:/ä}"]),
        ] {
            let found: Vec<&str> = find(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(occurs_in(text), !expected.is_empty(), "{text}");
            assert_eq!(is_one(text), expected == [text], "{text}");
        }
    }

    #[test]
    fn a_secret_is_the_text_of_its_file_without_the_last_end_of_line() {
        for (name, content, expected) in [
            ("plain", &b"s3cret"[..], Some("s3cret")),
            ("line", b"s3cret\n", Some("s3cret")),
            ("dos", b"s3cret\r\n", Some("s3cret")),
            ("lines", b"a\nb\n\n", Some("a\nb\n")),
            ("empty", b"\n", None),
            ("latin", b"\xe4", None),
        ] {
            let path = file(name, content);
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
        let path = file("own", b"s3cret\n");
        let own = format!("${{file:{}}}", path.display());
        let conf = [format!("jdbc:x?password={own}"), "plain".to_owned()];
        let references = References::of(&conf);
        let mut value = json!({ "argv": ["-p", own, "${env:HOME}"], "n": 1 });
        references.resolve(&mut value).unwrap();
        assert_eq!(
            value,
            json!({ "argv": ["-p", "s3cret", "${env:HOME}"], "n": 1 })
        );
        let message = references.hidden("login with s3cret failed");
        assert_eq!(message, format!("login with {own} failed"));
        fs::remove_file(&path).unwrap();
        let mut gone = json!([own]);
        assert!(references.resolve(&mut gone).is_err());
        assert!(References::of(&["plain".to_owned()]).is_empty());
    }
}
