//! Passes that check one text at a time.
//!
//! Each text is passed to all of them before the next one, so that it is recorded in one place which forms have no
//! diagnostics: large workflows have very many texts of few forms.

use crate::{
    analysis::templates::{SoundForms, TemplateUse},
    diagnostics::Sink,
};

pub(crate) trait TextPass {
    /// Checks a text. The diagnostics depend on the form of the text alone; their places on its place.
    fn check(&mut self, template_use: &TemplateUse<'_>, sink: &mut Sink);
}

/// Passes `uses` to `passes`, and only the first use of each form without diagnostics.
pub(crate) fn run(uses: &[TemplateUse<'_>], passes: &mut [&mut dyn TextPass], sink: &mut Sink) {
    let mut sound = SoundForms::default();
    for template_use in uses {
        if sound.contains(template_use.form) {
            continue;
        }
        let n_before = sink.n_found();
        for pass in passes.iter_mut() {
            pass.check(template_use, sink);
        }
        if sink.n_found() == n_before {
            sound.insert(template_use.form);
        }
    }
}
