//! Passes that look at one text at a time.
//!
//! Each text is shown to all of them before the next, so that it is known in one place of which forms there is nothing to
//! say: large workflows have very many texts of few forms.

use crate::{
    analysis::templates::{SoundForms, TemplateUse},
    diagnostics::Sink,
};

pub(crate) trait TextPass {
    /// Reports what it finds in a text. What that is depends on the form of the text alone; where it is reported, on its
    /// place.
    fn check(&mut self, template_use: &TemplateUse<'_>, sink: &mut Sink);
}

/// Shows `uses` to `passes`, and only the first of those of a form that nobody has a word about.
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
