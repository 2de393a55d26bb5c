//! The properties that a command is given.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use hpdlc_core::{configuration, properties};
use hpdlc_host::{exit::RunError, mask::Mask};

/// Where a job's properties come from.
#[derive(Debug, clap::Args)]
pub struct PropertySources {
    /// A properties file or a Hadoop configuration XML; later ones win
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Vec<PathBuf>,
    /// A property; wins over files
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    define: Vec<(String, String)>,
}

/// The origin of a given property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenPlace {
    /// File and line, from 1.
    File(Arc<str>, u32),
    CommandLine,
}

/// Given properties, by name.
#[derive(Debug, Default)]
pub(super) struct GivenProperties {
    pub(super) values: BTreeMap<String, String>,
    pub(super) places: BTreeMap<String, GivenPlace>,
}

impl PropertySources {
    /// The arguments that give another command the same properties.
    pub fn arguments(&self) -> Vec<OsString> {
        let files = self
            .config
            .iter()
            .flat_map(|file| ["-c".into(), file.clone().into_os_string()]);
        let defined = self
            .define
            .iter()
            .flat_map(|(name, value)| ["-D".into(), format!("{name}={value}").into()]);
        files.chain(defined).collect()
    }

    /// Reads the files and merges them: later ones over earlier ones, `-D` over all.
    pub(super) fn read(&self) -> Result<BTreeMap<String, String>, RunError> {
        let mut values = BTreeMap::new();
        self.each(|name, value, _| {
            values.insert(name, value);
        })?;
        // From here on, all messages, including errors, are masked.
        let _ = Mask::of(&values);
        Ok(values)
    }

    /// As [`PropertySources::read`], with the origin of each.
    pub(super) fn read_with_places(&self) -> Result<GivenProperties, RunError> {
        let mut given = GivenProperties::default();
        self.each(|name, value, place| {
            given.places.insert(name.clone(), place);
            given.values.insert(name, value);
        })?;
        let _ = Mask::of(&given.values);
        Ok(given)
    }

    /// Calls `take` for each property in order, including repeated ones.
    fn each(&self, mut take: impl FnMut(String, String, GivenPlace)) -> Result<(), RunError> {
        for path in &self.config {
            let file: Arc<str> = path.display().to_string().into();
            for (name, value, line) in read_properties(path)? {
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                take(name, value, GivenPlace::File(Arc::clone(&file), line));
            }
        }
        for (name, value) in &self.define {
            take(name.clone(), value.clone(), GivenPlace::CommandLine);
        }
        Ok(())
    }
}

/// Names, values and lines, in the order of the file.
fn read_properties(path: &Path) -> Result<Vec<(String, String, usize)>, RunError> {
    let name = path.display();
    let bytes = hpdlc_host::named_file::read(path)
        .map_err(|error| RunError::usage(format!("cannot read {name}: {error}")))?;
    let is_xml = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
        || bytes.starts_with(b"\xef\xbb\xbf<");
    if is_xml {
        let text = String::from_utf8(bytes)
            .map_err(|error| RunError::usage(format!("{name} is not UTF-8: {error}")))?;
        let parsed = configuration::parse(&text)
            .map_err(|error| RunError::usage(format!("{name}: {error}")))?;
        return Ok(parsed
            .properties
            .into_iter()
            .map(|property| (property.name, property.value, property.line))
            .collect());
    }
    let parsed = properties::parse(&bytes).map_err(|mistakes| {
        let lines: Vec<String> = mistakes
            .iter()
            .map(|mistake| format!("{name}: {mistake}"))
            .collect();
        RunError::usage(lines.join("\n"))
    })?;
    Ok(parsed
        .entries
        .into_iter()
        .map(|entry| (entry.key, entry.value, entry.line))
        .collect())
}

fn parse_definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        Some(_) | None => Err("expected NAME=VALUE".to_owned()),
    }
}
