//! The `http` action.

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, Outlet, TextVisitor},
        needed::{Need, Needs},
    },
    model::{
        Template,
        action::{Http, http::HttpPost},
    },
};

impl ActionType for Http {
    fn texts<'a>(&'a self, texts: &mut TextVisitor<'_, 'a>) {
        let Http {
            url,
            post,
            waits_for_callback: _,
            mode,
            capture_output: _,
        } = self;
        texts.uris([url]);
        texts.text(mode);
        if let Some(HttpPost { content_type, body }) = post {
            texts.text([content_type, body]);
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
