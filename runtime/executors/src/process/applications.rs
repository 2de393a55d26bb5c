//! The properties that a process gets for the applications that it may start on a cluster, and how those are ended.

use std::{collections::BTreeMap, fs::File, io, io::Write, iter};

use hpdlc_launcher::{Attempt, AttemptState};
use hpdlc_program::failure::ActionError;

use crate::{
    AttemptPlace, Evaluation, StartError, configuration,
    process::{ProcessBody, Setting},
    tool::Applications,
};

/// The file with the properties for the applications of a process (`LauncherMain.propagateToHadoopConf`).
pub const PROPAGATION: &str = "propagation-conf.xml";

impl Setting {
    /// As [`Setting::evaluate`], for a process that may start applications on a cluster.
    pub fn of_program(cx: &Evaluation<'_>, body: &ProcessBody) -> Result<Setting, ActionError> {
        let setting = Setting::evaluate(cx, body)?;
        Ok(Setting {
            applications: Applications::evaluate(cx, &setting.configuration)?,
            ..setting
        })
    }

    /// Writes a Hadoop configuration file with the properties for the applications of the process; an existing one, which the
    /// author has provided, is kept.
    pub fn propagate(&self, place: &AttemptPlace<'_>, name: &str) -> Result<(), StartError> {
        let Some(applications) = &self.applications else {
            return Ok(());
        };
        let text = configuration::to_xml(&applications.propagated(place))?;
        let path = place.attempt.folder().join(name);
        match File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes())) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            written => written.map_err(|error| StartError::machine(&path, &error)),
        }
    }

    /// The configuration for Hadoop's tools that the process calls.
    pub fn for_tools(&self, place: &AttemptPlace<'_>) -> BTreeMap<String, String> {
        let mut configuration = self.configuration.clone();
        if let Some(applications) = &self.applications {
            configuration.extend(applications.for_tools(place, &self.configuration));
        }
        configuration
    }

    /// Ends the applications that the process of an attempt has started. Blocks.
    ///
    /// # Errors
    ///
    /// Why some may still run, as a message for the user.
    pub fn end_applications(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        match &self.applications {
            Some(applications) => applications.end(&self.configuration, job, attempt),
            None => Ok(()),
        }
    }

    /// As [`Setting::end_applications`], for all earlier attempts whose outcome is unknown. Blocks.
    ///
    /// # Errors
    ///
    /// Why some may still run, as a message for the user.
    pub fn end_lost_applications(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        if self.applications.is_none() {
            return Ok(());
        }
        iter::successors(attempt.earlier(), Attempt::earlier)
            .filter(|attempt| matches!(attempt.inspect(), Ok(AttemptState::Lost(_))))
            .try_for_each(|attempt| self.end_applications(job, &attempt))
    }
}
