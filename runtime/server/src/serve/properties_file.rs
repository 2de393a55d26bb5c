//! Properties for the option `-c` of a program, in memory: a list of processes does not show them, and a server that is killed leaves no
//! file behind.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Write},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    process,
};

use rustix::fs::{MemfdFlags, memfd_create};

use crate::{api::configuration, serve::failure::Failure};

/// It can be read while this value exists, by processes of the same user.
pub(crate) struct PropertiesFile {
    _file: File,
    path: PathBuf,
}

impl PropertiesFile {
    pub(crate) fn new(properties: &BTreeMap<String, String>) -> Result<PropertiesFile, Failure> {
        let text = configuration::text(properties);
        PropertiesFile::of(text.as_bytes())
            .map_err(|error| Failure::server(format!("properties in memory: {error}")))
    }

    fn of(text: &[u8]) -> io::Result<PropertiesFile> {
        let mut file = File::from(memfd_create("properties", MemfdFlags::CLOEXEC)?);
        file.write_all(text)?;
        let path = format!("/proc/{}/fd/{}", process::id(), file.as_raw_fd());
        Ok(PropertiesFile {
            _file: file,
            path: path.into(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn another_process_reads_it_from_its_start_and_no_folder_has_it() {
        let file = PropertiesFile::of(b"a text").expect("made");
        for _ in 0..2 {
            let read = Command::new("cat").arg(file.path()).output().expect("run");
            assert_eq!(read.stdout, b"a text");
        }
        let path = file.path().to_owned();
        drop(file);
        assert!(!path.exists());
    }
}
