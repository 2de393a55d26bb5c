//! Programs for hosts whose C library is older than this machine's. Which versions of its functions a program asks for is decided by
//! the libraries that it is linked with: those of [`stubs`] have what glibc 2.17 had, so the compiled runtime serves as it is.

use std::{ffi::OsString, fs, path::Path, str::FromStr};

use object::{elf::FileHeader64, read::elf::FileHeader as _};

use crate::driver::{Failure, Places, Toolchain, digest::Digest};

mod stubs;

/// What all programs of the kind are linked for: Rust's own library needs it.
const LINKED: u32 = 17;
/// The newest that is known here.
const NEWEST: u32 = 43;
/// Elsewhere glibc begins with other versions.
const HOST: &str = "x86_64-unknown-linux-gnu";

/// The oldest glibc that a program must start with: 2.17 to 2.43.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlibcVersion {
    /// Behind `2.`.
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

/// What rustc passes on to the linker for a program that starts with an older glibc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldGlibc {
    pub link_arguments: Vec<OsString>,
    version: GlibcVersion,
}

/// The libraries for `version` in the cache; made first where they are missing, in a fraction of a second.
///
/// # Errors
///
/// This machine is of another kind, has no C compiler, or no room.
pub fn ready(
    places: &Places,
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
    // Damaged, or made by another hpdlc meanwhile: then it is the same.
    drop(fs::remove_dir_all(folder));
    match fs::rename(&inside, folder) {
        Err(_) if stubs::files(folder).all(|path| path.is_file()) => Ok(()),
        renamed => renamed.map_err(|error| Failure::io("write", folder, &error)),
    }
}

impl OldGlibc {
    /// What to say of a program that does not link: the inner text is the linker's.
    pub fn failure(&self, said: &str) -> Failure {
        Failure::new(format!("the program could not be linked for glibc 2.{}", self.version.minor))
            .note(said)
            .help("something in it needs a newer glibc: report this, and leave out `--glibc` for now: the program then starts with the glibc of this machine and newer ones")
    }

    /// Whether the program at `path` starts with this glibc.
    ///
    /// # Errors
    ///
    /// It cannot be read, or asks for a newer version: the linker has taken other libraries.
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

/// The versions that an executable asks of libraries, such as `GLIBC_2.17`, sorted.
///
/// # Errors
///
/// The bytes are no ELF file of 64 bits.
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

/// Whether `version` is one of glibc above `2.minor`, or none that a released glibc has.
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
