//! The user that this process runs as.

use nix::unistd::{Uid, User};

/// The name of the user that this process runs as, from the system's user database; the UID if it has no name.
pub fn name() -> String {
    let uid = Uid::current();
    let user = User::from_uid(uid).ok().flatten();
    user.map_or_else(|| uid.to_string(), |user| user.name)
}
