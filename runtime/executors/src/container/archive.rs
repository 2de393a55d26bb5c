//! The archive with the attempt's folder, which the container unpacks into its own.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use super::order::{ContainerOrder, ORDER};

/// Packs the attempt's folder with the order into an archive. Links to files become files.
///
/// # Errors
///
/// The folder cannot be read, or a file cannot be written.
pub fn pack(folder: &Path, order: &ContainerOrder, archive: &Path) -> io::Result<()> {
    let order = serde_json::to_vec(order)?;
    let mut builder = tar::Builder::new(io::BufWriter::new(private(archive)?));
    builder.follow_symlinks(false);
    let mut header = tar::Header::new_gnu();
    header.set_size(u64::try_from(order.len()).unwrap_or_default());
    header.set_mode(0o600);
    builder.append_data(&mut header, ORDER, order.as_slice())?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let path = entry.path();
        // A dangling link is as useless there as here.
        let Ok(meant) = fs::canonicalize(&path) else {
            continue;
        };
        if meant.is_dir() {
            builder.append_dir_all(&name, &meant)?;
        } else if meant.is_file() {
            builder.append_path_with_name(&meant, &name)?;
        }
    }
    builder.into_inner()?.flush()
}

fn private(path: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(path)
}

/// Moves the content of a file, if there is one, to the end of another.
///
/// # Errors
///
/// One of them cannot be read or written.
pub fn append(from: &Path, to: &Path) -> io::Result<()> {
    let mut file = match File::open(from) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut end = File::options().create(true).append(true).open(to)?;
    io::copy(&mut file, &mut end)?;
    fs::remove_file(from)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use hpdlc_files::AccessSettings;

    use super::*;
    use crate::container::call::{ContainerCall, ContainerProgram};

    #[test]
    fn the_archive_has_files_in_place_of_links() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("1");
        fs::create_dir(&folder).unwrap();
        let script = root.path().join("script.sh");
        fs::write(&script, "exit 0").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        symlink(&script, folder.join("run.sh")).unwrap();
        symlink(root.path().join("none"), folder.join("dangling")).unwrap();
        fs::create_dir(folder.join("data")).unwrap();
        fs::write(folder.join("data/x"), "1").unwrap();
        let order = ContainerOrder {
            call: ContainerCall {
                program: ContainerProgram::Java,
                argv: Vec::new(),
                env: Vec::new(),
            },
            folder: "/x".to_owned(),
            limit: None,
            results: vec!["output.properties".to_owned()],
            max_output: 1,
            schedulers: Vec::new(),
            staging: String::new(),
            access: AccessSettings::default(),
            name_service: std::collections::BTreeMap::new(),
        };
        let archive = root.path().join("1.tar");
        pack(&folder, &order, &archive).unwrap();
        let there = root.path().join("there");
        tar::Archive::new(File::open(&archive).unwrap())
            .unpack(&there)
            .unwrap();
        let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
        assert!(!there.join("run.sh").is_symlink());
        assert_eq!(mode(&there.join("run.sh")), 0o755);
        assert_eq!(fs::read(there.join("data/x")).unwrap(), b"1");
        assert!(there.join("dangling").symlink_metadata().is_err());
        for file in [there.join(ORDER), archive] {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
        let read: ContainerOrder =
            serde_json::from_slice(&fs::read(there.join(ORDER)).unwrap()).unwrap();
        assert_eq!(read, order);
    }
}
