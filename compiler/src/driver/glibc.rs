//! Programs for hosts whose C library is older than that of this machine. The symbol versions that a program requires are
//! determined by the libraries that it is linked with: those of [`stubs`] have the versions of glibc 2.17, so the compiled
//! runtime can be used unchanged.

use std::{ffi::OsString, fs, path::Path, str::FromStr};

use object::{elf::FileHeader64, read::elf::FileHeader as _};

use crate::driver::{BuildPlaces, Failure, Toolchain, digest::Digest};

mod stubs;

/// The version that all such programs are linked for: Rust's standard library requires it.
const LINKED: u32 = 17;
/// The newest supported version.
const NEWEST: u32 = 43;
/// On other hosts glibc begins with other versions.
const HOST: &str = "x86_64-unknown-linux-gnu";

/// The oldest glibc that a program has to run with: 2.17 to 2.43.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlibcVersion {
    /// The part after `2.`.
    minor: u32,
}

impl FromStr for GlibcVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<GlibcVersion, String> {
        let known = format!("versions are 2.{LINKED} to 2.{NEWEST}");
        let minor = text
            .strip_prefix("2.")
            .filter(|minor| minor.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|minor| minor.parse().ok())
            .ok_or_else(|| format!("no version of glibc; {known}"))?;
        match minor {
            LINKED..=NEWEST => Ok(GlibcVersion { minor }),
            0..LINKED => Err(format!("Rust's programs need 2.{LINKED} or newer; {known}")),
            _ => Err(format!("this glibc is not known; {known}")),
        }
    }
}

/// The linker arguments for a program that runs with an older glibc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldGlibc {
    pub link_arguments: Vec<OsString>,
    version: GlibcVersion,
}

/// The libraries for `version` in the cache; generated first if they are missing, in a fraction of a second.
///
/// # Errors
///
/// This machine is of another kind, has no C compiler, or the disk is full.
pub fn ready(
    places: &BuildPlaces,
    toolchain: &Toolchain,
    version: GlibcVersion,
) -> Result<OldGlibc, Failure> {
    let host = toolchain.host();
    if host != HOST {
        return Err(Failure::new(format!("programs for an older glibc cannot be made on `{host}`"))
            .note(format!("the names of an older glibc are known for `{HOST}` only"))
            .help("leave `--glibc` out: the program then starts with the glibc of this machine and newer ones, or build on a machine of the other kind"));
    }
    let mut digest = Digest::default();
    digest.field(stubs::NAMES).field(stubs::START);
    let parent = places.cache.join("glibc");
    let folder = parent.join(digest.finish());
    if !stubs::files(&folder).all(|path| path.is_file()) {
        make(&parent, &folder)?;
    }
    Ok(OldGlibc {
        link_arguments: stubs::link_arguments(&folder),
        version,
    })
}

fn make(parent: &Path, folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(parent).map_err(|error| Failure::io("create", parent, &error))?;
    let new = tempfile::Builder::new()
        .prefix("new-")
        .tempdir_in(parent)
        .map_err(|error| Failure::io("write to", parent, &error))?;
    let inside = new.path().join("libraries");
    let failure = |cause: String| {
        Failure::new("the libraries for an older glibc could not be made")
            .note(cause)
            .help("install a C compiler (`apt-get install gcc libc6-dev`, `dnf install gcc`) and repeat the command")
    };
    match stubs::make(&inside) {
        Ok(Ok(())) => {}
        Ok(Err(said)) => return Err(failure(format!("`cc` says: {said}"))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(failure("there is no `cc`".to_owned()));
        }
        Err(error) => return Err(Failure::io("write to", parent, &error)),
    }
    // The existing folder is damaged, or another hpdlc has made it in the meantime: then it is identical.
    drop(fs::remove_dir_all(folder));
    match fs::rename(&inside, folder) {
        Err(_) if stubs::files(folder).all(|path| path.is_file()) => Ok(()),
        renamed => renamed.map_err(|error| Failure::io("write", folder, &error)),
    }
}

impl OldGlibc {
    /// The failure of a program that does not link: the argument is the linker's output.
    pub fn failure(&self, said: &str) -> Failure {
        Failure::new(format!("the program could not be linked for glibc 2.{}", self.version.minor))
            .note(said)
            .help("something in it needs a newer glibc: report this, and leave out `--glibc` for now: the program then starts with the glibc of this machine and newer ones")
    }

    /// Checks that the program at `path` runs with this glibc.
    ///
    /// # Errors
    ///
    /// It cannot be read, or requires a newer version: the linker has used other libraries.
    pub fn check(&self, path: &Path) -> Result<(), Failure> {
        let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
        let versions = needed_versions(&bytes).map_err(|error| {
            self.failure(&format!("the linker has written no ELF file: {error}"))
        })?;
        let newer: Vec<String> = versions
            .into_iter()
            .filter(|version| is_newer(version, self.version.minor))
            .collect();
        if newer.is_empty() {
            return Ok(());
        }
        Err(self.failure(&format!("it asks for {}", newer.join(", "))))
    }
}

/// The symbol versions that an executable requires of libraries, such as `GLIBC_2.17`, sorted.
///
/// # Errors
///
/// The bytes are not a 64-bit ELF file.
pub fn needed_versions(bytes: &[u8]) -> Result<Vec<String>, object::read::Error> {
    let header = FileHeader64::<object::Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let mut versions = Vec::new();
    let Some((mut needs, link)) = sections.gnu_verneed(endian, bytes)? else {
        return Ok(versions);
    };
    let strings = sections.strings(endian, bytes, link)?;
    while let Some((_, mut of_file)) = needs.next()? {
        while let Some(version) = of_file.next()? {
            versions.push(String::from_utf8_lossy(version.name(endian, strings)?).into_owned());
        }
    }
    versions.sort();
    versions.dedup();
    Ok(versions)
}

/// Whether `version` is a version of glibc above `2.minor`, or one that no released glibc has.
fn is_newer(version: &str, minor: u32) -> bool {
    let Some(number) = version.strip_prefix("GLIBC_") else {
        return false;
    };
    let mut parts = number.split('.').map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(2)), Some(Ok(second))) => second > minor,
        _ => true,
    }
}

#[cfg(test)]
mod tests;
