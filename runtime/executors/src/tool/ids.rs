//! Finds the ids of applications and jobs in a tool's output (`LauncherMain.getHadoopJobIds`).

/// A line that contains an id: words, the id, words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdPattern {
    pub before: &'static str,
    /// Immediately after the id; empty for anything.
    pub after: &'static str,
}

const fn pattern(before: &'static str, after: &'static str) -> IdPattern {
    IdPattern { before, after }
}

/// What Hadoop's own client prints.
pub const SUBMITTED: IdPattern = pattern("Submitted application ", "");
/// What `mapred job -submit` prints.
pub const CREATED: IdPattern = pattern("Created job ", "");
pub const COMPLETED: IdPattern = pattern("Job complete: ", "");
/// distcp
pub const COMPLETED_SUCCESSFULLY: IdPattern = pattern("Job ", " completed successfully");
/// sqoop
pub const HAS_COMPLETED: IdPattern = pattern("Job ", " has completed successfully");
/// pig
pub const HADOOP_JOB: IdPattern = pattern("HadoopJobId: ", "");
/// hive, if it runs MapReduce jobs
pub const ENDED: IdPattern = pattern("Ended Job = ", "");
/// hive2 on Spark
pub const RUNNING_WITH: IdPattern = pattern("Running with YARN Application = ", "");
/// hive2 on Tez
pub const EXECUTING_ON: IdPattern = pattern("Executing on YARN cluster with App id ", "");

/// The ids in a text, without duplicates, in the order of their first appearance, as job ids: `job_` for `application_`.
pub fn jobs_in(text: &str, patterns: &[IdPattern]) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        for pattern in patterns {
            if let Some(id) = pattern.id_in(line) {
                push_once(&mut found, job(&id));
            }
        }
    }
    found
}

pub fn push_once(ids: &mut Vec<String>, id: String) {
    if !ids.contains(&id) {
        ids.push(id);
    }
}

/// `job_1_2` for `application_1_2`.
pub fn job(id: &str) -> String {
    match id.strip_prefix("application_") {
        Some(number) => format!("job_{number}"),
        None => id.to_owned(),
    }
}

/// `application_1_2` for `job_1_2`.
pub fn application(id: &str) -> String {
    match id.strip_prefix("job_") {
        Some(number) => format!("application_{number}"),
        None => id.to_owned(),
    }
}

impl IdPattern {
    /// The first id in a line that matches.
    fn id_in(self, line: &str) -> Option<String> {
        line.match_indices(self.before).find_map(|(at, before)| {
            let rest = &line[at + before.len()..];
            let number = ["application_", "job_"]
                .iter()
                .find_map(|start| rest.strip_prefix(start))?;
            let n_digits = number
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(number.len());
            let id = &rest[..rest.len() - number.len() + n_digits];
            let is_so = rest[id.len()..].starts_with(self.after) && n_digits > 0;
            is_so.then(|| id.to_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_once_in_their_order() {
        let text = "INFO impl.YarnClientImpl: Submitted application application_1_0002\n\
                    INFO mapreduce.Job: Job job_1_0002 completed successfully\n\
                    Submitted application application_1_0001.\n\
                    Created job job_1_0003\n\
                    INFO mapreduce.Job: Job job_1_0004 failed with state FAILED\n\
                    Submitted application NULL\nSubmitted application application_";
        let all = [SUBMITTED, CREATED, COMPLETED, COMPLETED_SUCCESSFULLY];
        assert_eq!(
            jobs_in(text, &all),
            ["job_1_0002", "job_1_0001", "job_1_0003"]
        );
        assert_eq!(jobs_in(text, &[CREATED]), ["job_1_0003"]);
        assert_eq!(jobs_in("", &all), Vec::<String>::new());
        let line = "Job job_local7_0001 has completed successfully";
        assert_eq!(jobs_in(line, &[HAS_COMPLETED]), ["job_local7_0001"]);
    }

    #[test]
    fn a_job_and_its_application_have_one_number() {
        assert_eq!(job("application_1_2"), "job_1_2");
        assert_eq!(application("job_1_2"), "application_1_2");
        assert_eq!(application("local-12"), "local-12");
    }
}
