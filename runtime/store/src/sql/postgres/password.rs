//! A password by libpq's variable and file.

use std::{env, fs, os::unix::fs::PermissionsExt, path::PathBuf};

use tokio_postgres::config::{Config, Host};

/// The password of PGPASSWORD, or of the line of the password file that fits.
pub(super) fn find(config: &Config, passfile: Option<&str>) -> Option<String> {
    if let Ok(password) = env::var("PGPASSWORD")
        && !password.is_empty()
    {
        return Some(password);
    }
    let path = match passfile {
        Some(path) => PathBuf::from(path),
        None => match env::var_os("PGPASSFILE") {
            Some(path) => PathBuf::from(path),
            None => PathBuf::from(env::var_os("HOME")?).join(".pgpass"),
        },
    };
    // As libpq: a file that others can read is none.
    let metadata = fs::metadata(&path).ok()?;
    if !metadata.is_file() || metadata.permissions().mode() & 0o077 != 0 {
        return None;
    }
    let text = fs::read_to_string(&path).ok()?;
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    let ports = config.get_ports();
    let hosts = config.get_hosts().iter().enumerate().map(|(n, host)| {
        let port = ports.get(n).or(ports.first()).copied().unwrap_or(5432);
        match host {
            Host::Tcp(host) => (host.clone(), port),
            Host::Unix(_) => ("localhost".to_owned(), port),
        }
    });
    let mut hosts = hosts;
    hosts.find_map(|(host, port)| in_file(&text, [&host, &port.to_string(), database, user]))
}

/// The password of the first line whose four fields are these, or `*`.
fn in_file(text: &str, wanted: [&str; 4]) -> Option<String> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .find_map(|line| {
            let fields = fields(line);
            let (password, places) = fields.split_last()?;
            let fits = places.len() == wanted.len()
                && places
                    .iter()
                    .zip(wanted)
                    .all(|(field, wanted)| field == "*" || field == wanted);
            fits.then(|| password.clone())
        })
}

/// The five fields of a line, with `\:` for a colon and `\\` for a backslash.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ':' if fields.len() < 5 => fields.push(String::new()),
            c => {
                let c = if c == '\\' {
                    chars.next().unwrap_or(c)
                } else {
                    c
                };
                if let Some(field) = fields.last_mut() {
                    field.push(c);
                }
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let text = "# host:port:database:user:password\n\
                    db:5432:jobs:ada:first\n\
                    db:*:*:ada:sec\\:ond\\\\\n\
                    too:few\n\
                    *:*:*:*:last:with:colons\n";
        for (wanted, password) in [
            (["db", "5432", "jobs", "ada"], "first"),
            (["db", "5433", "jobs", "ada"], "sec:ond\\"),
            (["other", "5432", "jobs", "bob"], "last:with:colons"),
        ] {
            assert_eq!(
                in_file(text, wanted).as_deref(),
                Some(password),
                "{wanted:?}"
            );
        }
        assert_eq!(in_file("db:1:jobs:ada:x", ["db", "2", "jobs", "ada"]), None);
    }
}
