//! The user who runs the compiler: the user of a job, unless its properties specify another.

use nix::unistd::{Uid, User};

/// The name of the user of this process in the system's user database; the user id if there is no name. `$USER` is not used.
pub fn name() -> String {
    let uid = Uid::current();
    let user = User::from_uid(uid).ok().flatten();
    user.map_or_else(|| uid.to_string(), |user| user.name)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn the_user_is_the_one_that_the_system_names() {
        let output = Command::new("id").arg("-un").output();
        let said = output.expect("`id` is there").stdout;
        assert_eq!(name(), String::from_utf8_lossy(&said).trim());
    }
}
