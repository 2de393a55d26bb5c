//! Who runs the compiler: the user of a job, unless its properties say another.

use std::{fs, process::Command};

/// The name of the user of this process, by number where it has none; `$USER` is not asked.
pub fn name() -> String {
    let Some(uid) = uid() else {
        return of_directory().unwrap_or_default();
    };
    let uid = uid.to_string();
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let local = passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid).then(|| name.to_owned())
    });
    local.or_else(of_directory).unwrap_or(uid)
}

#[cfg(target_os = "linux")]
fn uid() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").ok().map(|own| own.uid())
}

#[cfg(not(target_os = "linux"))]
fn uid() -> Option<u32> {
    None
}

/// What the system's directory, such as LDAP, says.
fn of_directory() -> Option<String> {
    let output = Command::new("id").arg("-un").output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_is_the_one_that_the_system_names() {
        let said = of_directory().expect("`id` is there");
        assert_eq!(name(), said);
    }
}
