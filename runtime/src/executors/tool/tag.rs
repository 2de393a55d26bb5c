//! The tags by which an action's applications are known on the cluster.

use std::fmt::Write;

use sha2::{Digest, Sha256, Sha384};

use crate::{executors::tool::Tool, launcher::Attempt};

/// What Oozie tags the applications of an action with (`LauncherHelper.getTag`). All attempts have the same one.
pub fn of_oozie(tool: &Tool, job: &str, node: &str) -> String {
    let job = tool.setting("oozie.action.yarn.tag").unwrap_or(job);
    // Oozie writes the hash as one number, which has no zeros in front.
    let digits = hex(&Sha384::digest(format!("{job}@{node}")));
    let digits = digits.trim_start_matches('0');
    format!("oozie-{}", &digits[..digits.len().min(64)])
}

/// The tag of one attempt alone: by it, what was started is found again.
pub fn own(job: &str, attempt: &Attempt) -> String {
    // Below the job's folder; where that lies does not matter.
    let folder = attempt.folder().to_string_lossy();
    let below = folder.rsplit_once(job).map_or(&*folder, |(_, below)| below);
    let digits = hex(&Sha256::digest(format!("{job}{below}")));
    format!("hpdl-{}", &digits[..40])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executors::tool::call::testing::tool;

    #[test]
    fn the_tag_of_oozie_is_the_same_for_all_attempts() {
        let mut tool = tool(crate::table::ToolKind::Distcp, []);
        let tag = of_oozie(&tool, "0000001-261120093000123-hpdl-W", "copy");
        assert_eq!(tag.len(), "oozie-".len() + 64);
        assert!(
            tag["oozie-".len()..]
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase()),
            "{tag}"
        );
        let settings = &mut tool.settings;
        settings.insert("oozie.action.yarn.tag".to_owned(), "parent".to_owned());
        assert_eq!(
            of_oozie(&tool, "a", "copy"),
            of_oozie(&tool, "b", "copy"),
            "a job's own tag counts"
        );
        assert_ne!(of_oozie(&tool, "a", "copy"), tag);
    }

    #[test]
    fn each_attempt_has_a_tag_of_its_own_wherever_the_state_folder_is() {
        let of = |folder: &str| own("0-W", &Attempt::new(folder));
        assert_eq!(of("/a/work/0-W/copy/1"), of("/b/work/0-W/copy/1"));
        assert_ne!(of("/a/work/0-W/copy/1"), of("/a/work/0-W/copy/2"));
        assert_ne!(of("/a/work/0-W/copy/1"), of("/a/work/0-W/@1/copy/1"));
    }
}
