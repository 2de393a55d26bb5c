//! `archive` elements: unpacked into the attempt's folder under the name of their link. As in YARN's localizer, the file's
//! ending decides: `.zip` and `.jar`, `.tar`, `.tar.gz` and `.tgz`; any other file is linked as it is.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::symlink,
    path::Path,
};

use flate2::read::GzDecoder;

/// The format of an archive, by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArchiveFormat {
    Zip,
    Tar,
    TarGz,
    /// Not an archive.
    Other,
}

fn kind(path: &Path) -> ArchiveFormat {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    if name.ends_with(".zip") || name.ends_with(".jar") {
        ArchiveFormat::Zip
    } else if name.ends_with(".tar.gz") || name.ends_with(".tgz") {
        ArchiveFormat::TarGz
    } else if name.ends_with(".tar") {
        ArchiveFormat::Tar
    } else {
        ArchiveFormat::Other
    }
}

/// Unpacks `archive` into the folder `target`, which must not exist. No entry is written outside that folder.
///
/// # Errors
///
/// The archive cannot be read or is damaged, or writing to the disk fails.
pub fn unpack(archive: &Path, target: &Path) -> io::Result<()> {
    let kind = kind(archive);
    if kind == ArchiveFormat::Other {
        return symlink(archive, target);
    }
    fs::create_dir(target)?;
    let file = io::BufReader::new(File::open(archive)?);
    match kind {
        // Entries with `..` and absolute names are refused by both crates.
        ArchiveFormat::Zip => zip::ZipArchive::new(file)?.extract(target)?,
        ArchiveFormat::Tar => tar::Archive::new(file).unpack(target)?,
        ArchiveFormat::TarGz => tar::Archive::new(GzDecoder::new(file)).unpack(target)?,
        ArchiveFormat::Other => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn tar_bytes(name: &str) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(5);
        header.set_mode(0o755);
        // Unlike `append_data`, this takes any name.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, &b"hello"[..]).unwrap();
        builder.into_inner().unwrap()
    }

    fn zip_bytes(name: &str) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        writer
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(b"hello").unwrap();
        writer.finish().unwrap().into_inner()
    }

    #[track_caller]
    fn check(file: &str, bytes: &[u8], inner: &str) {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join(file);
        fs::write(&archive, bytes).unwrap();
        let target = folder.path().join("unpacked");
        unpack(&archive, &target).unwrap();
        assert_eq!(fs::read(target.join(inner)).unwrap(), b"hello", "{file}");
    }

    #[test]
    fn archives_are_known_by_their_endings() {
        check("a.tar", &tar_bytes("x/y"), "x/y");
        check("a.zip", &zip_bytes("x/y"), "x/y");
        check("a.JAR", &zip_bytes("x/y"), "x/y");
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&tar_bytes("x/y")).unwrap();
        let gz = gz.finish().unwrap();
        check("a.tar.gz", &gz, "x/y");
        check("a.tgz", &gz, "x/y");
    }

    #[test]
    fn what_is_no_archive_is_linked() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.bin");
        fs::write(&file, "weights").unwrap();
        unpack(&file, &folder.path().join("m")).unwrap();
        assert_eq!(fs::read(folder.path().join("m")).unwrap(), b"weights");
    }

    #[test]
    fn no_entry_leaves_the_folder() {
        for (file, bytes) in [
            ("a.tar", tar_bytes("../escaped")),
            ("a.zip", zip_bytes("../escaped")),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let archive = folder.path().join(file);
            fs::write(&archive, bytes).unwrap();
            // One crate refuses the archive, the other skips the entry.
            let _ = unpack(&archive, &folder.path().join("unpacked"));
            assert!(!folder.path().join("escaped").exists(), "{file}");
        }
    }

    #[test]
    fn a_damaged_archive_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("a.zip");
        fs::write(&archive, "no zip").unwrap();
        assert!(unpack(&archive, &folder.path().join("unpacked")).is_err());
    }
}
