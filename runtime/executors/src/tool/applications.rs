//! Applications that the process of a `shell` or `java` action may start: a script that calls `hadoop jar`, a main class that
//! submits a job.
//!
//! They can only be found by their tags, which the process reads from its folder (`JavaActionExecutor`, `LauncherMain`). If the
//! action has no cluster, there are none.

use std::collections::BTreeMap;

use hpdlc_files::clusters;
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Evaluation,
    tool::{
        cluster,
        cluster_settings::{ClusterSettings, PROXY},
        configuration::{LOCAL, RESOURCE_MANAGER, TAGS, USER},
        tags::Tags,
        yarn::Yarn,
    },
};

/// The tags for applications that the process starts, in its `action.xml`.
const CHILD_TAGS: &str = "oozie.child.mapreduce.job.tags";

/// Names of the same property in other tools.
const TOOL_TAGS: [&str; 2] = ["tez.application.tags", "spark.yarn.tags"];

/// The beginnings of the settings of the job and the site that are kept.
const SETTINGS: [&str; 5] = [
    "hpdl.launcher",
    PROXY,
    "hpdl.yarn.",
    "oozie.action.keep.action.dir",
    "oozie.launcher.default.",
];

/// The tags and the cluster of an action's applications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applications {
    tags: Tags,
    /// The settings of the job and the site for the cluster.
    settings: BTreeMap<String, String>,
}

impl Applications {
    /// Those of an action with this configuration; `None` if no cluster is known.
    ///
    /// # Errors
    ///
    /// JA009: the key of the tags cannot be stored in the state folder.
    pub fn evaluate(
        cx: &Evaluation<'_>,
        configuration: &BTreeMap<String, String>,
    ) -> Result<Option<Applications>, ActionError> {
        let manager = configuration.get(RESOURCE_MANAGER).map(String::as_str);
        if !is_known(manager) {
            return Ok(None);
        }
        let settings = cx.site.iter().chain(cx.conf);
        Ok(Applications::of(Tags::evaluate(cx)?, manager, settings))
    }

    /// Those of an action with this resource manager and these settings of its job and the site, the latter first; `None` if no cluster
    /// is known.
    pub(super) fn of<'s>(
        tags: Tags,
        resource_manager: Option<&str>,
        settings: impl Iterator<Item = (&'s String, &'s String)>,
    ) -> Option<Applications> {
        if !is_known(resource_manager) {
            return None;
        }
        let settings =
            settings.filter(|(name, _)| SETTINGS.iter().any(|start| name.starts_with(start)));
        Some(Applications {
            tags,
            settings: settings
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        })
    }

    fn tags(&self, place: &AttemptPlace<'_>) -> String {
        self.both_tags(place).join(",")
    }

    /// Oozie's tag of the action, and the one of the attempt.
    pub(crate) fn both_tags(&self, place: &AttemptPlace<'_>) -> [String; 2] {
        let of_oozie = self.tags.of_oozie(place.job_id, place.node);
        [of_oozie, self.own_tag(place.job_id, place.attempt)]
    }

    /// The unique tag of an attempt.
    pub(crate) fn own_tag(&self, job: &str, attempt: &Attempt) -> String {
        self.tags.own(job, attempt)
    }

    /// The cluster of an action with this configuration.
    pub(crate) fn cluster_settings<'a>(
        &'a self,
        configuration: &'a BTreeMap<String, String>,
    ) -> ClusterSettings<'a> {
        ClusterSettings {
            configuration,
            settings: &self.settings,
            resource_manager: configuration.get(RESOURCE_MANAGER).map(String::as_str),
            user: configuration.get(USER).map_or("", String::as_str),
        }
    }

    /// What `action.xml` has in addition to the action's configuration.
    pub fn for_action(&self, place: &AttemptPlace<'_>) -> [(String, String); 1] {
        [(CHILD_TAGS.to_owned(), self.tags(place))]
    }

    /// The properties for Hadoop's tools that the process calls: the author's own tags are kept.
    pub fn for_tools(
        &self,
        place: &AttemptPlace<'_>,
        configuration: &BTreeMap<String, String>,
    ) -> Vec<(String, String)> {
        let own = configuration.get(TAGS).map(|tags| tags.trim());
        let tags = match own.filter(|tags| !tags.is_empty()) {
            Some(own) => format!("{own},{}", self.tags(place)),
            None => self.tags(place),
        };
        let names = std::iter::once(TAGS).chain(TOOL_TAGS);
        names
            .map(|name| (name.to_owned(), tags.clone()))
            .chain(self.for_action(place))
            .collect()
    }

    /// The content of `propagation-conf.xml`.
    pub fn propagated(&self, place: &AttemptPlace<'_>) -> BTreeMap<String, String> {
        let of_job =
            ["oozie.job.id", "oozie.launcher.job.id"].map(|name| (name, place.job_id.to_owned()));
        let of_action = (
            "oozie.action.id",
            format!("{}@{}", place.job_id, place.node),
        );
        of_job
            .into_iter()
            .chain([of_action, (TAGS, self.tags(place))])
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// Ends the applications of an attempt. Blocks, but not for long: there may be none, and a request is not retried.
    ///
    /// # Errors
    ///
    /// Why some may still run, as a message for the user.
    pub fn end(
        &self,
        configuration: &BTreeMap<String, String>,
        job: &str,
        attempt: &Attempt,
    ) -> Result<(), String> {
        let said = self.cluster_settings(configuration);
        let site = cluster::installed_site().map_err(|error| error.message)?;
        let yarn = Yarn::of(&said, &site).in_short();
        if !yarn.is_known() {
            return Ok(());
        }
        cluster::end(&yarn, &self.own_tag(job, attempt), &[], 1)
    }
}

/// Whether there is a cluster for an action with this resource manager.
fn is_known(resource_manager: Option<&str>) -> bool {
    match resource_manager {
        Some(resource_manager) => resource_manager != LOCAL,
        None => clusters::has_file("yarn-site.xml"),
    }
}
