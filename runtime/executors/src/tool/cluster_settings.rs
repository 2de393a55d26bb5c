//! What an action says of its cluster.

use std::collections::BTreeMap;

/// What an action says of its cluster.
#[derive(Clone, Copy, Debug)]
pub struct ClusterSettings<'a> {
    pub configuration: &'a BTreeMap<String, String>,
    /// Of its job and the site.
    pub settings: &'a BTreeMap<String, String>,
    pub resource_manager: Option<&'a str>,
    /// Whose the applications are.
    pub user: &'a str,
}

impl<'a> ClusterSettings<'a> {
    /// A setting: the action's, the job's, the site's.
    pub fn setting(&self, name: &str) -> Option<&'a str> {
        let found = self.configuration.get(name);
        let found = found.or_else(|| self.settings.get(name));
        found
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }
}
