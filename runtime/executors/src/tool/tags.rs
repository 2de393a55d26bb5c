//! The tags that identify an action's applications on the cluster.

use hpdlc_host::home::secret;
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256, Sha384};

use crate::Evaluation;

/// The input of an action's tags, besides its name and that of its job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tags {
    /// The key of the state folder: jobs of two folders may have the same id. `None` for an attempt that an earlier executable began.
    #[serde(default)]
    word: Option<String>,
    /// Replaces the job's id in Oozie's tag: the value of the job's own property, else the id of the parent.
    #[serde(default)]
    above: Option<String>,
}

impl Tags {
    /// # Errors
    ///
    /// JA009: the state folder's key can neither be read nor created.
    pub fn evaluate(cx: &Evaluation<'_>) -> Result<Tags, ActionError> {
        let path = cx.home.tag_key();
        let secret = secret::of(&path).map_err(|error| {
            ActionError::transient("JA009", format!("{}: {error}", path.display()))
        })?;
        Ok(Tags {
            word: Some(hex::encode(secret)),
            above: cx
                .conf
                .get("oozie.action.yarn.tag")
                .map(String::as_str)
                .or(cx.parent)
                .map(str::to_owned),
        })
    }

    /// Oozie's tag for the applications of an action (`LauncherHelper.getActionYarnTag`). It is the same for all attempts, and
    /// possibly for actions of other state folders, so nothing is ended by it.
    pub fn of_oozie(&self, job: &str, node: &str) -> String {
        let job = self.above.as_deref().unwrap_or(job);
        // Oozie formats the hash as one number, without leading zeros.
        let digits = hex::encode(Sha384::digest(format!("{job}@{node}")));
        let digits = digits.trim_start_matches('0');
        format!("oozie-{}", &digits[..digits.len().min(64)])
    }

    /// The unique tag of one attempt, by which its applications are found again.
    pub fn own(&self, job: &str, attempt: &Attempt) -> String {
        // The path below the job's folder, so that the location of the state folder does not matter.
        let folder = attempt.folder().to_string_lossy();
        let below = folder.rsplit_once(job).map_or(&*folder, |(_, below)| below);
        let word = self.word.as_deref().unwrap_or_default();
        let digits = hex::encode(Sha256::digest(format!("{word}{job}{below}")));
        format!("hpdl-{}", &digits[..40])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: &str = "0000001-261120093000123-hpdl-W";

    fn of_above(above: &str) -> Tags {
        Tags {
            above: Some(above.to_owned()),
            ..Tags::default()
        }
    }

    #[test]
    fn the_tag_of_oozie_is_the_same_for_all_attempts() {
        let tag = Tags::default().of_oozie(JOB, "copy");
        assert_eq!(tag.len(), "oozie-".len() + 64);
        assert!(
            tag["oozie-".len()..]
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase()),
            "{tag}"
        );
        let of = |job| of_above("parent").of_oozie(job, "copy");
        assert_eq!(of("a"), of("b"), "what stands above the job counts");
        assert_eq!(of_above(JOB).of_oozie("a", "copy"), tag);
    }

    fn of_word(word: &str) -> Tags {
        Tags {
            word: Some(word.to_owned()),
            ..Tags::default()
        }
    }

    #[test]
    fn each_attempt_has_a_tag_of_its_own_wherever_the_state_folder_is() {
        let of = |folder: &str| of_word("x").own("0-W", &Attempt::new(folder));
        assert_eq!(of("/a/work/0-W/copy/1"), of("/b/work/0-W/copy/1"));
        assert_ne!(of("/a/work/0-W/copy/1"), of("/a/work/0-W/copy/2"));
        assert_ne!(of("/a/work/0-W/copy/1"), of("/a/work/0-W/@1/copy/1"));
    }

    #[test]
    fn attempts_of_two_state_folders_have_two_tags() {
        let attempt = Attempt::new("/a/work/0-W/copy/1");
        let of = |tags: Tags| tags.own("0-W", &attempt);
        assert_ne!(of(of_word("x")), of(of_word("y")));
    }

    #[test]
    fn what_an_earlier_executable_has_begun_keeps_its_tag() {
        let tags: Tags = serde_json::from_str("{}").unwrap();
        assert_eq!(
            tags.own("0-W", &Attempt::new("/a/work/0-W/copy/1")),
            "hpdl-f73616f07008207d2809e7723e9c5d3f892355f9"
        );
    }
}
