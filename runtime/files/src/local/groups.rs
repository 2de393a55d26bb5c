//! The groups of this machine.

use std::{
    fs, io,
    process::{Command, Stdio},
};

/// The id of a group by name, or otherwise by number.
///
/// # Errors
///
/// If there is no such group.
pub(super) fn id(group: &str) -> io::Result<u32> {
    let local = fs::read_to_string("/etc/group").unwrap_or_default();
    find(&local, group)
        .or_else(|| group.parse().ok())
        .or_else(|| directory_group(group))
        .ok_or_else(|| {
            let message = format!("there is no group `{group}`");
            io::Error::new(io::ErrorKind::NotFound, message)
        })
}

fn find(text: &str, group: &str) -> Option<u32> {
    text.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next() != Some(group) {
            return None;
        }
        fields.nth(1)?.parse().ok()
    })
}

/// Groups of a directory service are known only to the C library; `getent` queries it.
fn directory_group(group: &str) -> Option<u32> {
    if group.is_empty() || group.starts_with('-') {
        return None;
    }
    let output = Command::new("getent")
        .args(["group", group])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    find(&String::from_utf8_lossy(&output.stdout), group)
}

#[cfg(test)]
mod tests {
    use super::{find, id};

    #[test]
    fn groups() {
        let text = "root:x:0:\nusers:x:100:a,b\nbroken\nodd:x:many:\n";
        assert_eq!(find(text, "users"), Some(100));
        assert_eq!(find(text, "user"), None);
        assert_eq!(find(text, "broken"), None);
        assert_eq!(find(text, "odd"), None);
        assert_eq!(id("root").expect("everywhere"), 0);
        assert_eq!(id("12345").expect("a number"), 12345);
        let error = id("no such group").expect_err("no such group");
        assert_eq!(error.to_string(), "there is no group `no such group`");
    }
}
