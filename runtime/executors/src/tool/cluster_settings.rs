//! An action's settings for its cluster.

use std::collections::BTreeMap;

/// An action's settings for its cluster.
#[derive(Clone, Copy, Debug)]
pub struct ClusterSettings<'a> {
    pub configuration: &'a BTreeMap<String, String>,
    /// Those of its job and the site.
    pub settings: &'a BTreeMap<String, String>,
    pub resource_manager: Option<&'a str>,
    /// The owner of the applications.
    pub user: &'a str,
}

impl<'a> ClusterSettings<'a> {
    /// A setting of the action, else of the job, else of the site.
    pub fn setting(&self, name: &str) -> Option<&'a str> {
        let found = self.configuration.get(name);
        let found = found.or_else(|| self.settings.get(name));
        found
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }
}
