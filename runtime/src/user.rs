//! The user that this process runs as.

use std::{fs, process::Command};

/// The name of the user that this process runs as; the number where nobody knows the name.
pub fn name() -> String {
    let uid = rustix::process::getuid().as_raw().to_string();
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let local = passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid).then(|| name.to_owned())
    });
    local.or_else(directory_user_name).unwrap_or(uid)
}

/// Asks the system's directory, such as LDAP, by the program that everybody has for it.
fn directory_user_name() -> Option<String> {
    let output = Command::new("id").arg("-un").output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !name.is_empty()).then_some(name)
}
