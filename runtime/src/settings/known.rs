//! Every setting that the runtime reads, with its built-in value: what `settings` lists.
//!
//! A test holds the list and the code equal.

/// A setting by its name.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Oozie's name where it has one.
    pub name: &'static str,
    /// What holds where nobody says otherwise; empty for none.
    pub built_in: &'static str,
    pub scope: Scope,
    /// What it decides, with its unit.
    pub meaning: &'static str,
}

/// Who may say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A job's property, above the site's.
    Job,
    /// A job's property only: the site's file is not asked.
    JobOnly,
    /// The site's file only: it is about the machine.
    SiteOnly,
}

const fn job(name: &'static str, built_in: &'static str, meaning: &'static str) -> Known {
    Known {
        name,
        built_in,
        scope: Scope::Job,
        meaning,
    }
}

const fn job_only(name: &'static str, built_in: &'static str, meaning: &'static str) -> Known {
    Known {
        scope: Scope::JobOnly,
        ..job(name, built_in, meaning)
    }
}

const fn site_only(name: &'static str, built_in: &'static str, meaning: &'static str) -> Known {
    Known {
        scope: Scope::SiteOnly,
        ..job(name, built_in, meaning)
    }
}

/// All of them, by name.
pub const KNOWN: &[Known] = &[
    job(
        "hpdl.action.lost",
        "suspend",
        "what becomes of an action of which nobody knows how it ended: suspend, retry, error",
    ),
    site_only(
        "hpdl.callback.base.url",
        "",
        "what callback URLs begin with, where others come in by another address",
    ),
    site_only(
        "hpdl.callback.listen",
        "127.0.0.1",
        "host, or host:port, at which callbacks are listened for; the port is chosen once where none is given",
    ),
    job(
        "hpdl.fs.timeout",
        "60",
        "seconds that one question to a file system elsewhere may take",
    ),
    job(
        "hpdl.kill.grace",
        "10",
        "seconds that a process which is asked to end may take before it is ended",
    ),
    job(
        "hpdl.local.processes.max",
        "64",
        "local processes of one job at once",
    ),
    job(
        "hpdl.notification.retries",
        "3",
        "how often a notification is tried again that failed",
    ),
    job(
        "hpdl.notification.retry.interval",
        "60",
        "seconds between its tries",
    ),
    job_only(
        "hpdl.proxyuser",
        "false",
        "user.name may be another user, who is then that of Hadoop jobs",
    ),
    job_only(
        "hws.action.notification.url",
        "",
        "called for nodes, with $wfId, $nodeName, $nodeStatus (2009)",
    ),
    job_only(
        "hws.workflow.notification.url",
        "",
        "called at the end of the job, with $wfId, $wfstatus (2009)",
    ),
    job(
        "oozie.action.fs.glob.max",
        "50000",
        "files that one pattern may match",
    ),
    job(
        "oozie.action.max.output.data",
        "1048576",
        "bytes of captured output that are kept",
    ),
    job(
        "oozie.action.retries.max",
        "3",
        "attempts after a transient failure; oozie.wf.action.max.retries comes before it",
    ),
    job(
        "oozie.action.retry.interval",
        "10",
        "seconds between them; oozie.wf.action.retry.interval comes before it",
    ),
    job(
        "oozie.action.retry.policy",
        "periodic",
        "whether that interval doubles each time: periodic, exponential",
    ),
    job(
        "oozie.notification.proxy",
        "",
        "[http@|socks@]host:port; oozie.wf.workflow.notification.proxy comes before it",
    ),
    job(
        "oozie.notification.url.connection.timeout",
        "10000",
        "milliseconds for connecting to the server of a notification, and again for its answer",
    ),
    site_only(
        "oozie.service.HadoopAccessorService.supported.filesystems",
        "*",
        "schemes that paths may have, with commas between; * for all that are known",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.default",
        "0",
        "user retries of actions that have no retry-max",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.error.code",
        super::USER_RETRY_CODES,
        "error codes that user retries apply to",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext",
        "",
        "more of them; ALL for every one",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.interval",
        "10",
        "minutes between user retries where the action has no retry-interval",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.inteval",
        "10",
        "the same as ...user.retry.interval, as Oozie spells it",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.max",
        "3",
        "user retries at most, whatever retry-max says",
    ),
    job(
        "oozie.service.LiteWorkflowStoreService.user.retry.policy",
        "periodic",
        "of actions that have no retry-policy: periodic, exponential",
    ),
    job_only(
        "oozie.suspend.on.nodes",
        "",
        "names of nodes before which the job is suspended, with commas; * for all",
    ),
    job(
        "oozie.wf.action.max.retries",
        "",
        "a job's own oozie.action.retries.max",
    ),
    job_only(
        "oozie.wf.action.notification.url",
        "",
        "called for nodes, with $jobId, $nodeName, $status",
    ),
    job(
        "oozie.wf.action.retry.interval",
        "",
        "a job's own oozie.action.retry.interval",
    ),
    job_only(
        "oozie.wf.rerun.disablechild",
        "false",
        "whether a job of a sub-workflow may not be rerun by itself",
    ),
    job_only(
        "oozie.wf.rerun.failnodes",
        "",
        "of a rerun: only what did not end OK runs again",
    ),
    job_only(
        "oozie.wf.rerun.skip.nodes",
        "",
        "of a rerun: names of nodes that do not run again, with commas",
    ),
    job(
        "oozie.wf.workflow.notification.proxy",
        "",
        "a job's own oozie.notification.proxy",
    ),
    job_only(
        "oozie.wf.workflow.notification.url",
        "",
        "called for the job's states, with $jobId, $status, $parentId",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_and_explains_each() {
        assert!(KNOWN.windows(2).all(|two| two[0].name < two[1].name));
        assert!(KNOWN.iter().all(|known| !known.meaning.is_empty()));
    }

    /// Names that stand in the code and are no settings: what actions and jobs are told, and parts of names.
    const NO_SETTINGS: &[&str] = &[
        "oozie.action.conf.xml",
        "oozie.action.error.properties",
        "oozie.action.externalChildIDs",
        "oozie.action.id",
        "oozie.action.newId",
        "oozie.action.output.properties",
        "oozie.action.stats.properties",
        "oozie.job.id",
        "oozie.job.launch.time",
        "oozie.launcher.job.id",
        "oozie.service.LiteWorkflowStoreService.user.retry",
        "oozie.wf.application.path",
    ];

    fn names_in(text: &str, names: &mut std::collections::BTreeSet<String>) {
        for quoted in text.split('"').skip(1) {
            let is_name = ["oozie.", "hpdl.", "hws."]
                .iter()
                .any(|start| quoted.starts_with(start))
                && quoted
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
            if is_name {
                names.insert(quoted.to_owned());
            }
        }
    }

    fn collect(folder: &std::path::Path, names: &mut std::collections::BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, names);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && !path.ends_with("settings/known.rs")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                names_in(code, names);
            }
        }
    }

    #[test]
    fn every_setting_that_the_code_reads_is_listed() {
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut names = std::collections::BTreeSet::new();
        collect(&source, &mut names);
        for name in NO_SETTINGS {
            names.remove(*name);
        }
        names.retain(|name| !name.ends_with('.'));
        let unlisted: Vec<&String> = names
            .iter()
            .filter(|name| !KNOWN.iter().any(|known| known.name == name.as_str()))
            .collect();
        assert!(unlisted.is_empty(), "not in KNOWN: {unlisted:?}");
    }
}
