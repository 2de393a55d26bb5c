//! The action type used by tests: what it takes to add one.

use crate::{
    analysis::action_types::{ActionType, TextVisitor},
    model::action::probe::Probe,
};

impl ActionType for Probe {
    fn texts<'a>(&'a self, texts: &mut TextVisitor<'_, 'a>) {
        let Probe { text } = self;
        texts.text([text]);
    }
}
