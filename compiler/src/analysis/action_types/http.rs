//! The `http` action.

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, Outlet, TextType},
        needed::{Need, Needs},
    },
    model::{Template, action::Http},
};

impl ActionType for Http {
    fn has_counters(&self) -> bool {
        false
    }

    fn text_type(&self, element: &str) -> TextType {
        match element {
            "url" => TextType::Uri,
            _ => TextType::Text,
        }
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        vec![("http-url", &self.url)]
    }

    fn address(&self) -> Option<&Template> {
        Some(&self.url)
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        vec![Outlet::new(
            &self.url,
            "a URL",
            "servers and proxies log it",
        )]
    }

    fn needs(&self, _has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(Need::Web);
    }

    fn error_codes(&self) -> &'static [&'static str] {
        &[]
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Captured(self.capture_output)
    }
}
