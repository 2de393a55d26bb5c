//! The optional parts of the runtime, which `main` passes as pointers: what no pointer names is not linked. Mail, requests and TLS are a
//! fifth of an executable that has them, coordinators and bundles a tenth.

use std::fmt;

use hpdlc_engine::{
    notify::sending,
    scheduling::{self, Scheduling},
};
use hpdlc_executors::{
    action::Actions,
    email::{self, SlaMail},
    requests,
    rust::{self, Extensions},
    worker_process::WorkCarrier,
};
use hpdlc_network::{self as network, Secure, tls};
use hpdlc_scheduler::{
    coordinator::submission,
    scheduler::{self, SCHEDULING},
};

use crate::commands::{dryrun, rerun, simulate, update};

/// What a program needs besides the engine: built from [`Parts::NONE`].
#[derive(Clone, Copy)]
pub struct Parts {
    mail: Option<MailParts>,
    requests: Option<WorkCarrier>,
    secure: Option<Secure>,
    scheduler: Option<Scheduler>,
    actions: Actions,
    extensions: Extensions,
}

#[derive(Clone, Copy)]
struct MailParts {
    carrier: WorkCarrier,
    /// Sends a notification by mail.
    post: sending::SendMail,
}

#[derive(Clone, Copy)]
struct Scheduler {
    engine: &'static Scheduling,
    commands: &'static Commands,
}

/// What commands do with coordinators and bundles.
struct Commands {
    evaluate: update::EvaluateRevision,
    dryrun: dryrun::ScheduledDryrun,
    plan: rerun::RerunPlanner,
    simulate: simulate::SimulateFunction,
}

static COMMANDS: Commands = Commands {
    evaluate: submission::complete,
    dryrun: dryrun::scheduled::see,
    plan: scheduler::plan,
    simulate: simulate::Simulate::run,
};

impl Commands {
    fn link(&self) {
        update::SCHEDULED.link(self.evaluate);
        dryrun::SCHEDULED.link(self.dryrun);
        rerun::SCHEDULED.link(self.plan);
        simulate::SCHEDULED.link(self.simulate);
    }
}

impl Parts {
    /// For workflows without `email` and `http` actions, and without `alert-contact`.
    ///
    /// The `full` runtime always contains TLS, for its file systems.
    pub const NONE: Parts = Parts {
        mail: None,
        requests: None,
        secure: network::BUILT_IN,
        scheduler: None,
        actions: &[],
        extensions: &[],
    };
    /// All parts.
    pub const ALL: Parts = Parts::NONE.with_mail().with_requests().with_scheduler();

    /// For programs whose actions send mail, or with an `alert-contact`.
    #[must_use]
    pub const fn with_mail(self) -> Parts {
        Parts {
            mail: Some(MailParts {
                carrier: email::carrier,
                post: SlaMail::send,
            }),
            secure: Some(tls::secure),
            ..self
        }
    }

    /// For programs with `http` actions, or with sub-workflows on other instances.
    #[must_use]
    pub const fn with_requests(self) -> Parts {
        Parts {
            requests: Some(requests::carrier),
            secure: Some(tls::secure),
            ..self
        }
    }

    /// For programs of coordinators and bundles.
    #[must_use]
    pub const fn with_scheduler(self) -> Parts {
        Parts {
            scheduler: Some(Scheduler {
                engine: &SCHEDULING,
                commands: &COMMANDS,
            }),
            ..self
        }
    }

    /// For programs whose workflows have `rust` actions: the functions that they call, by name. A later call replaces an earlier one.
    #[must_use]
    pub const fn with_actions(self, actions: Actions) -> Parts {
        Parts { actions, ..self }
    }

    /// For programs whose workflows have actions of extensions. A later call replaces an earlier one.
    #[must_use]
    pub const fn with_extensions(self, extensions: Extensions) -> Parts {
        Parts { extensions, ..self }
    }

    /// Sets the parts of this executable; only the first call has an effect.
    pub(crate) fn link(self) {
        network::link(self.secure);
        rust::link(self.actions, self.extensions);
        if let Some(mail) = self.mail {
            sending::link(mail.post);
        }
        if self.requests.is_some() {
            requests::link();
        }
        if let Some(scheduler) = self.scheduler {
            scheduling::link(scheduler.engine);
            scheduler.commands.link();
        }
    }

    /// The implementations for worker processes.
    pub(crate) fn carriers(self) -> impl Iterator<Item = WorkCarrier> {
        let mail = self.mail.map(|mail| mail.carrier);
        mail.into_iter().chain(self.requests)
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("mail", &self.mail.is_some())
            .field("requests", &self.requests.is_some())
            .field("tls", &self.secure.is_some())
            .field("scheduler", &self.scheduler.is_some())
            .field("actions", &self.actions)
            .field("extensions", &self.extensions)
            .finish()
    }
}
