//! The user that this process runs as.

use std::ffi::CString;

use nix::unistd::{Group, Uid, User, getgrouplist};

/// The name of the user that this process runs as, from the system's user database; the UID if it has no name.
pub fn name() -> String {
    let uid = Uid::current();
    let user = User::from_uid(uid).ok().flatten();
    user.map_or_else(|| uid.to_string(), |user| user.name)
}

/// The names of the groups of a user in the system's user database; none if there is no such user. May ask other machines.
///
/// # Errors
///
/// The database cannot be read.
pub fn groups_of(name: &str) -> std::io::Result<Vec<String>> {
    let (Some(user), Ok(text)) = (User::from_name(name)?, CString::new(name)) else {
        return Ok(Vec::new());
    };
    let groups = getgrouplist(&text, user.gid)?.into_iter();
    let named = groups.filter_map(|id| Some(Group::from_gid(id).ok()??.name));
    Ok(named.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_groups_and_a_stranger_has_none() {
        assert!(groups_of("root").unwrap().contains(&"root".to_owned()));
        assert!(groups_of("no such user").unwrap().is_empty());
        assert!(groups_of("a\0b").unwrap().is_empty());
    }
}
