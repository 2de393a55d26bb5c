//! The move of one file or folder, as planned.

use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// One file or folder, and its new path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Relocation {
    #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
    pub(super) from: PathBuf,
    /// Does not exist beforehand.
    #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
    pub(super) to: PathBuf,
}

impl Relocation {
    pub(super) fn new(from: PathBuf, to: PathBuf) -> Relocation {
        Relocation { from, to }
    }
}

/// File names are bytes; a lossy conversion to text could not be read back.
fn write_path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    match path.to_str() {
        Some(text) => serializer.serialize_str(text),
        None => path.as_os_str().as_bytes().serialize(serializer),
    }
}

fn read_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Ok(PathBuf::from(text)),
        other => {
            let bytes = Vec::<u8>::deserialize(other).map_err(D::Error::custom)?;
            Ok(PathBuf::from(OsString::from_vec(bytes)))
        }
    }
}
