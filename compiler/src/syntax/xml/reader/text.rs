//! Text, references and comments.

use super::Builder;
use crate::{
    source::Span,
    syntax::xml::{
        attributes::ampersand_run,
        characters::{ReferenceFault, first_invalid_character, resolve_reference},
        faults::{Fatal, advanced},
        invalid_character::InvalidCharacter,
        invalid_comment::InvalidComment,
        invalid_reference::InvalidReference,
        text_outside_root::TextOutsideRoot,
        tree::{NONE, RunData, TextKind, TextRun, widened},
        unescaped_markup::{StrayMarkup, UnescapedMarkup},
    },
};

impl<'a> Builder<'a, '_> {
    pub(super) fn text(&mut self, raw: &'a str, start: u32) -> Result<(), Fatal> {
        if raw.starts_with('&') && start >= self.ampersands_until {
            self.lone_ampersands(start)?;
        }
        self.check_characters(raw, start)?;
        if self.has_brackets
            && let Some(index) = raw.find("]]>")
        {
            self.faults.report(UnescapedMarkup {
                markup: StrayMarkup::CDataEnd,
                span: self.faults.span(advanced(start, index), 3),
            })?;
        }
        self.push_text(raw, start, TextKind::Plain)
    }

    /// A reference; `name` is between `&` and `;`.
    pub(super) fn reference(&mut self, name: &'a str, name_start: u32) -> Result<(), Fatal> {
        let start = name_start - 1;
        let (raw, start) = self.raw(start, name.len() + 2);
        match resolve_reference(name) {
            Ok(c) => self.push_text(raw, start, TextKind::Reference(c)),
            Err(ReferenceFault::LoneAmpersand) => {
                if start >= self.ampersands_until {
                    self.lone_ampersands(start)?;
                }
                self.push_text(raw, start, TextKind::Plain)
            }
            Err(fault @ (ReferenceFault::UnknownEntity | ReferenceFault::InvalidNumber)) => {
                let span = self.faults.span(start, raw.len());
                self.faults.report(InvalidReference { raw, span, fault })?;
                self.push_text(raw, start, TextKind::Plain)
            }
        }
    }

    fn lone_ampersands(&mut self, start: u32) -> Result<(), Fatal> {
        let at = Span::empty(self.faults.file, start).range().start;
        let (raw, start) = self.raw(start, ampersand_run(&self.text[at..]));
        let span = self.faults.span(start, raw.len());
        self.ampersands_until = span.end;
        self.faults.report(InvalidReference {
            raw,
            span,
            fault: ReferenceFault::LoneAmpersand,
        })
    }

    pub(super) fn push_text(
        &mut self,
        raw: &'a str,
        start: u32,
        kind: TextKind,
    ) -> Result<(), Fatal> {
        let span = self.faults.span(start, raw.len());
        let run = TextRun { raw, kind, span };
        if self.open.is_empty() {
            return self.text_outside_root(run);
        }
        if raw.is_empty() {
            return Ok(());
        }
        self.count_part(span)?;
        let index = advanced(0, self.document.runs.len());
        self.document.runs.push(RunData {
            start: span.start,
            end: span.end,
            kind,
            next: NONE,
        });
        if let Some(parent) = self.open.last_mut() {
            match std::mem::replace(&mut parent.last_run, index) {
                NONE => self.document.elements[widened(parent.index)].first_run = index,
                last => self.document.runs[widened(last)].next = index,
            }
        }
        Ok(())
    }

    fn text_outside_root(&mut self, run: TextRun<'a>) -> Result<(), Fatal> {
        let is_only_space = matches!(run.kind, TextKind::Plain) && run.is_blank();
        let is_cdata = self.text[..run.span.range().start].ends_with("<![CDATA[");
        if (is_only_space && !is_cdata) || self.text_outside_reported {
            return Ok(());
        }
        self.text_outside_reported = true;
        let shown = match run.raw.trim_ascii() {
            "" => run.raw,
            shown => shown,
        };
        let (shown, start) = self.place(shown);
        let span = self.faults.span(start, shown.len());
        let root = self.root_name();
        self.faults.report(TextOutsideRoot { span, root })
    }

    pub(super) fn comment(&mut self, raw: &'a str, start: u32) -> Result<(), Fatal> {
        self.check_characters(raw, start)?;
        let (index, length) = match raw.find("--") {
            Some(index) => (index, 2),
            // `--->`: the third hyphen is the last character of the comment.
            None if raw.ends_with('-') => (raw.len() - 1, 3),
            None => return Ok(()),
        };
        const OPENING: &str = "<!--";
        if let Some(inner) = raw.find(OPENING) {
            // The end of the outer comment is missing, and its extent is unknown.
            let opened = self.faults.span(start - 4, OPENING.len());
            return Err(self.faults.fatal(InvalidComment {
                span: self.faults.span(advanced(start, inner), OPENING.len()),
                opened: Some(opened),
            }));
        }
        self.faults.report(InvalidComment {
            span: self.faults.span(advanced(start, index), length),
            opened: None,
        })
    }

    pub(super) fn check_characters(&mut self, raw: &str, start: u32) -> Result<(), Fatal> {
        if !self.faults.has_invalid_characters {
            return Ok(());
        }
        match first_invalid_character(raw) {
            Some((index, character)) => self.faults.report(InvalidCharacter {
                character,
                span: self
                    .faults
                    .span(advanced(start, index), character.len_utf8()),
            }),
            None => Ok(()),
        }
    }
}
