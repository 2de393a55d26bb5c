//! The `git` action.

use crate::{
    analysis::{
        action_types::{ActionType, Outlet, TextType},
        needed::{Need, Needs},
    },
    model::{Template, action::Git},
};

impl ActionType for Git {
    fn has_counters(&self) -> bool {
        false
    }

    fn text_type(&self, element: &str) -> TextType {
        match element {
            "git-uri" | "destination-uri" => TextType::Uri,
            _ => TextType::Text,
        }
    }

    fn paths(&self) -> Vec<&Template> {
        self.key_path
            .iter()
            .chain([&self.destination_uri])
            .collect()
    }

    fn address(&self) -> Option<&Template> {
        Some(&self.git_uri)
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        let uri = Outlet::new(
            &self.git_uri,
            "the URI of a repository",
            "the launcher logs it",
        );
        vec![uri.with_help("use `key-path`")]
    }

    fn needs(&self, _has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(Need::Git);
    }
}
