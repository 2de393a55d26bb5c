//! The commands on a job, and the states in which they are allowed.

pub mod bundle_request;
pub mod coordinator_request;

use hpdlc_core::{status::JobStatus, step::Event};
use hpdlc_store::JobRow;

use self::{bundle_request::BundleRequest, coordinator_request::CoordinatorRequest};

/// A command on a workflow job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Start,
    Suspend,
    Resume,
    Kill,
}

impl Verb {
    const ALL: [Verb; 4] = [Verb::Start, Verb::Suspend, Verb::Resume, Verb::Kill];

    /// As stored.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Start => "start",
            Verb::Suspend => "suspend",
            Verb::Resume => "resume",
            Verb::Kill => "kill",
        }
    }

    pub fn from_name(name: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|verb| verb.name() == name)
    }

    pub fn event(self) -> Event {
        match self {
            Verb::Start => Event::Start,
            Verb::Suspend => Event::Suspend,
            Verb::Resume => Event::Resume,
            Verb::Kill => Event::Kill,
        }
    }

    /// Why a job in this state refuses it, with Oozie's code; `None` if it is allowed.
    ///
    /// A FAILED job can be killed (`KillXCommand`): it stays FAILED, and everything that still runs of it is ended.
    pub fn refusal(self, id: &str, status: JobStatus) -> Option<String> {
        use JobStatus::{Failed, Killed, Prep, Running, Succeeded, Suspended};
        let (is_allowed, which, code) = match self {
            Verb::Start => (status == Prep, "only a PREP job can be started", "E0801"),
            Verb::Suspend => (
                status == Running,
                "only a RUNNING job can be suspended",
                "E0727",
            ),
            Verb::Resume => (
                status == Suspended,
                "only a SUSPENDED job can be resumed",
                "E1100",
            ),
            Verb::Kill => match status {
                Prep | Running | Suspended | Failed => (true, "", ""),
                Succeeded | Killed => {
                    return Some(format!("job {id} is {status} already (E0725)"));
                }
            },
        };
        (!is_allowed).then(|| format!("job {id} is {status}; {which} ({code})"))
    }
}

/// A command to the owner of a job.
#[derive(Clone, Copy, Debug)]
pub enum JobOrder<'a> {
    /// To a workflow's.
    Workflow(Verb),
    Coordinator(&'a CoordinatorRequest),
    Bundle(&'a BundleRequest),
}

impl JobOrder<'_> {
    /// The word that the user types.
    pub fn word(self) -> &'static str {
        match self {
            JobOrder::Workflow(verb) => verb.name(),
            JobOrder::Coordinator(request) => request.word(),
            JobOrder::Bundle(request) => request.word(),
        }
    }

    pub(crate) fn to_text(self) -> String {
        match self {
            JobOrder::Workflow(verb) => verb.name().to_owned(),
            JobOrder::Coordinator(request) => request.to_text(),
            JobOrder::Bundle(request) => request.to_text(),
        }
    }

    /// Why a job in this state refuses it, if that is known without its owner.
    pub fn refusal(self, job: &JobRow) -> Option<String> {
        match self {
            JobOrder::Workflow(verb) => verb.refusal(&job.id, job.status),
            JobOrder::Coordinator(_) | JobOrder::Bundle(_) => None,
        }
    }

    /// Whether it is carried out completely, leaving no owner behind.
    pub(crate) fn is_brief(self) -> bool {
        match self {
            JobOrder::Workflow(verb) => matches!(verb, Verb::Kill | Verb::Suspend),
            JobOrder::Coordinator(request) => matches!(
                request,
                CoordinatorRequest::Kill | CoordinatorRequest::Suspend
            ),
            JobOrder::Bundle(request) => {
                matches!(request, BundleRequest::Kill | BundleRequest::Suspend)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expects a verb to be allowed in these states only, and the code of the refusal in all others.
    #[track_caller]
    fn check(verb: Verb, allowed: &[JobStatus], code: &str) {
        for status in JobStatus::ALL {
            let refusal = verb.refusal("1", status);
            assert_eq!(refusal.is_none(), allowed.contains(&status), "{status}");
            let has_words = refusal.is_none_or(|words| {
                words.contains(code) && words.contains(&format!("job 1 is {status}"))
            });
            assert!(has_words, "{status}");
        }
        assert_eq!(Verb::from_name(verb.name()), Some(verb));
    }

    #[test]
    fn commands_are_refused_by_oozies_table() {
        use JobStatus::{Failed, Prep, Running, Suspended};
        check(Verb::Start, &[Prep], "E0801");
        check(Verb::Suspend, &[Running], "E0727");
        check(Verb::Resume, &[Suspended], "E1100");
        check(Verb::Kill, &[Prep, Running, Suspended, Failed], "E0725");
        assert_eq!(Verb::from_name("rerun"), None);
    }
}
