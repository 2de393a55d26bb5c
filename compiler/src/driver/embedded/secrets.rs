//! Detects files that contain a secret, which everybody who has the executable could read.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use hpdlc_core::{configuration, properties, secrets::is_secret_name};

use crate::driver::{mistakes::embedded_secrets::Secret, settings::HPDL_TOML};

/// Larger files are treated as data.
const MAX_SIZE: u64 = 1024 * 1024;

/// File extensions of keys, and of certificates with keys.
const KEY_FILES: [&str; 8] = [
    "jceks", "jks", "kdbx", "keystore", "keytab", "p12", "pfx", "ppk",
];

/// File extensions of formats with lines `name=value` or `name: value`.
const LINES: [&str; 11] = [
    "cfg",
    "cnf",
    "conf",
    "credentials",
    "env",
    "ini",
    "json",
    "sh",
    "toml",
    "yaml",
    "yml",
];

/// The secret in the file at `path`, if there is one; `name` is its path below the application's folder.
///
/// # Errors
///
/// It cannot be read.
pub fn in_file(name: &str, path: &Path, size: u64) -> io::Result<Option<Secret>> {
    let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let ending = name.rsplit('.').next().unwrap_or(&name);
    if KEY_FILES.contains(&ending) {
        return Ok(Some(Secret::KeyFile));
    }
    // The names in it are those of lints.
    if size > MAX_SIZE || name == HPDL_TOML {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_SIZE).read_to_end(&mut bytes)?;
    Ok(in_bytes(&name, ending, &bytes))
}

fn in_bytes(name: &str, ending: &str, bytes: &[u8]) -> Option<Secret> {
    if bytes.contains(&0) {
        return None;
    }
    let text = String::from_utf8_lossy(bytes);
    if text.contains("PRIVATE KEY-----") && text.contains("-----BEGIN ") {
        return Some(Secret::PrivateKey);
    }
    // Copies too: `job.properties.prod`.
    if name.ends_with(".properties") || name.contains(".properties.") {
        let parsed = properties::parse(bytes).ok()?;
        return value(
            parsed
                .entries
                .iter()
                .map(|entry| (entry.key.as_str(), entry.value.as_str(), entry.line)),
        );
    }
    if ending == "xml" && text.contains("<configuration") {
        let parsed = configuration::parse(&text).ok()?;
        return value(parsed.properties.iter().map(|property| {
            (
                property.name.as_str(),
                property.value.as_str(),
                property.line,
            )
        }));
    }
    if LINES.contains(&ending) || LINES.contains(&name) {
        return value(text.lines().enumerate().filter_map(|(number, line)| {
            in_line(line).map(|(name, value)| (name, value, number + 1))
        }));
    }
    None
}

/// The first secret among names, values and lines. A reference to a value that is given later is not a secret.
fn value<'a>(mut entries: impl Iterator<Item = (&'a str, &'a str, usize)>) -> Option<Secret> {
    entries
        .find(|(name, value, _)| is_secret_name(name) && is_given(value))
        .map(|(name, _, line)| Secret::Value {
            name: name.to_owned(),
            line,
        })
}

fn is_given(value: &str) -> bool {
    let value = value.trim();
    let no_secret = ["", "null", "none", "true", "false", "changeme"];
    !no_secret.contains(&value.to_ascii_lowercase().as_str())
        && !value.starts_with(['$', '<', '{', '['])
        && !value.contains("${")
}

/// `name=value` and `"name": "value",` without what may surround them.
fn in_line(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches("export ").trim_start();
    let (name, value) = line.split_once(['=', ':'])?;
    let quotes: &[char] = &['"', '\''];
    let name = name.trim().trim_matches(quotes);
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|char| char.is_alphanumeric() || "._-".contains(char));
    let value = value
        .trim()
        .trim_end_matches([',', ';'])
        .trim_matches(quotes);
    is_name.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: &str) -> Option<Secret> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        std::fs::write(&path, text).expect("writes");
        let size = u64::try_from(text.len()).expect("small");
        in_file(name, &path, size).expect("reads")
    }

    fn named(name: &str, line: usize) -> Option<Secret> {
        Some(Secret::Value {
            name: name.to_owned(),
            line,
        })
    }

    #[test]
    fn secrets_are_found_in_the_formats_of_settings() {
        let defaults = "<configuration>\n<property><name>a</name><value>1</value></property>\n\
                        <property><name>db.password</name><value>hunter2</value></property></configuration>";
        for (name, text, expected) in [
            (
                "conf/db.properties",
                "a=1\ndb.password = x\n",
                named("db.password", 2),
            ),
            ("job.properties.prod", "api.token=x", named("api.token", 1)),
            ("config-default.xml", defaults, named("db.password", 3)),
            (
                "conf/site.yaml",
                "user: a\npassword: 'x'\n",
                named("password", 2),
            ),
            (
                "conf/site.json",
                "{\n \"secret\": \"x\",\n}",
                named("secret", 2),
            ),
            ("bin/env.sh", "export PGPASSWORD=x", named("PGPASSWORD", 1)),
            (
                "credentials",
                "aws_secret_access_key = x",
                named("aws_secret_access_key", 1),
            ),
            (
                "server.pem",
                "-----BEGIN EC PRIVATE KEY-----\n",
                Some(Secret::PrivateKey),
            ),
            (
                "deep/deploy_key",
                "-----BEGIN OPENSSH PRIVATE KEY-----\n",
                Some(Secret::PrivateKey),
            ),
            ("etl.keytab", "\u{5}\u{2}", Some(Secret::KeyFile)),
            ("Trust.JKS", "", Some(Secret::KeyFile)),
        ] {
            assert_eq!(found(name, text), expected, "{name}");
        }
    }

    #[test]
    fn what_is_given_later_or_no_setting_is_none() {
        for (name, text) in [
            ("conf/db.properties", "db.password=\nuser=a\n#password=x"),
            ("conf/db.properties", "db.password=${dbPassword}"),
            (
                "config-default.xml",
                "<configuration><property><name>db.password</name><value>${p}</value></property></configuration>",
            ),
            (
                "workflow.xml",
                "<workflow-app><arg>password=x</arg></workflow-app>",
            ),
            (
                "bin/run.sh",
                "password=$1\nif [ -z \"$token\" ]; then exit; fi",
            ),
            ("bin/run.py", "password = getpass()"),
            ("ca.pem", "-----BEGIN CERTIFICATE-----"),
            ("hpdl.toml", "[lints]\nembedded_secrets = \"deny\""),
            ("data.csv", "password:x"),
            ("lib/a.jar", "PK\0password=x"),
        ] {
            assert_eq!(found(name, text), None, "{name}: {text}");
        }
    }
}
