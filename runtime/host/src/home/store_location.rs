//! Where the job store is: in a file of the state folder, or in a database for several processes and hosts.

use std::{
    env, fmt,
    path::{Path, PathBuf},
};

use crate::{
    exit::RunError,
    home::{Home, site_file},
    secret_values,
};

/// The setting with the URL of the database; absent for a file of the state folder.
pub const URL: &str = "hpdl.store.url";

/// The variable that overrides the setting: containers are given secrets by variables.
pub const VARIABLE: &str = "HPDL_STORE_URL";

/// Where the job store is.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreLocation {
    /// A file of SQLite.
    Sqlite(PathBuf),
    /// The URL of a database of PostgreSQL, perhaps with a password.
    Postgres(String),
}

impl StoreLocation {
    /// The file of the state folder.
    pub(super) fn of_folder(root: &Path) -> StoreLocation {
        StoreLocation::Sqlite(root.join("jobs.db"))
    }

    /// What the variable or the site's file says.
    ///
    /// # Errors
    ///
    /// Exit 2 if it is no URL of PostgreSQL, or the site's file cannot be read.
    pub(super) fn find(home: &Home) -> Result<StoreLocation, RunError> {
        #[cfg(any(test, feature = "testing"))]
        if let Some(location) = testing::location(home.root()) {
            return Ok(location);
        }
        let (url, name) = match of_variable() {
            Some(url) => (url, VARIABLE),
            None => match site_file::read(home)?.remove(URL) {
                Some(url) if !url.trim().is_empty() => (url.trim().to_owned(), URL),
                Some(_) | None => return Ok(StoreLocation::of_folder(home.root())),
            },
        };
        let url = secret_values::resolved(&url)
            .map_err(|unread| RunError::usage(format!("{name}: {unread}")))?
            .into_owned();
        if is_of_postgres(&url) {
            return Ok(StoreLocation::Postgres(url));
        }
        Err(RunError::usage(format!(
            "{name} is `{}`, which is no URL of PostgreSQL",
            without_password(&url)
        ))
        .with_help(
            "it is postgres://USER@HOST/DATABASE; without it the store is in the state folder",
        ))
    }

    /// Whether the store is in a file of the state folder.
    pub fn is_file(&self) -> bool {
        matches!(self, StoreLocation::Sqlite(_))
    }

    /// Whether there may be a store: a file exists, a database is asked for it.
    pub fn may_exist(&self) -> bool {
        match self {
            StoreLocation::Sqlite(path) => path.exists(),
            StoreLocation::Postgres(_) => true,
        }
    }
}

/// The URL that the variable has.
pub fn of_variable() -> Option<String> {
    let url = env::var_os(VARIABLE).filter(|url| !url.is_empty())?;
    Some(url.to_string_lossy().into_owned())
}

fn is_of_postgres(url: &str) -> bool {
    ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}

/// Whether a URL has a password in it.
pub fn has_password(url: &str) -> bool {
    without_password(url) != url
}

/// A URL as shown to the user.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let authority = match authority.rsplit_once('@') {
        Some((user, host)) => {
            let name = user.split_once(':').map_or(user, |(name, _)| name);
            format!("{name}@{host}")
        }
        None => authority.to_owned(),
    };
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let parameters: Vec<&str> = query
        .split('&')
        .filter(|part| !part.is_empty() && !part.starts_with("password="))
        .collect();
    let mark = if parameters.is_empty() { "" } else { "?" };
    format!("{scheme}://{authority}{path}{mark}{}", parameters.join("&"))
}

impl fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreLocation::Sqlite(path) => write!(f, "{}", path.display()),
            StoreLocation::Postgres(url) => f.write_str(&without_password(url)),
        }
    }
}

impl fmt::Debug for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreLocation({self})")
    }
}

#[cfg(any(test, feature = "testing"))]
mod testing {
    use std::{
        env,
        hash::{DefaultHasher, Hash, Hasher},
        path::Path,
    };

    use super::StoreLocation;

    /// With `HPDL_TEST_POSTGRES`, the URL of a database, every state folder of a test has a schema there.
    pub(super) fn location(root: &Path) -> Option<StoreLocation> {
        let url = env::var("HPDL_TEST_POSTGRES").ok()?;
        let mut hasher = DefaultHasher::new();
        root.hash(&mut hasher);
        let mark = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{mark}schema=test_{:016x}", hasher.finish());
        Some(StoreLocation::Postgres(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, shown) in [
            (
                "postgres://ada:s3cret@db:5432/jobs",
                "postgres://ada@db:5432/jobs",
            ),
            ("postgres://ada@db/jobs", "postgres://ada@db/jobs"),
            (
                "postgres://db/jobs?password=x&sslmode=require",
                "postgres://db/jobs?sslmode=require",
            ),
            ("postgres:///jobs?password=x", "postgres:///jobs"),
            ("postgres://ada:p@ss@db", "postgres://ada@db"),
            ("jobs.db", "jobs.db"),
        ] {
            assert_eq!(without_password(url), shown, "{url}");
            assert_eq!(has_password(url), url != shown, "{url}");
            let location = StoreLocation::Postgres(url.to_owned());
            assert_eq!(format!("{location:?}"), format!("StoreLocation({shown})"));
        }
    }
}
