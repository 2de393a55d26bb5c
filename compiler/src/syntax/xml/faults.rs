//! Reports the mistakes of one document.

use crate::{
    diagnostics::{IntoDiagnostic, Sink},
    source::{FileId, Span},
    syntax::xml::characters::first_invalid_character,
};

/// The maximum number of mistakes per document: further ones add nothing, and a list of millions would fill the memory.
const MOST: usize = 100;

/// A mistake after which the structure is uncertain; it has been reported.
#[derive(Debug)]
pub(super) struct Fatal;

/// The reporter of one document's parser.
#[derive(Debug)]
pub(super) struct Faults<'s> {
    pub(super) file: FileId,
    sink: &'s mut Sink,
    n_reported: usize,
    /// Some character of the document is not an XML character. Determined by one scan of the whole text, which is faster
    /// than one of each of its many small parts; the parts are only scanned if it is true.
    pub(super) has_invalid_characters: bool,
}

impl<'s> Faults<'s> {
    pub(super) fn new(file: FileId, text: &str, sink: &'s mut Sink) -> Faults<'s> {
        Faults {
            file,
            sink,
            n_reported: 0,
            has_invalid_characters: first_invalid_character(text).is_some(),
        }
    }

    /// Reports a mistake after which parsing continues, unless there have been too many.
    pub(super) fn report(&mut self, mistake: impl IntoDiagnostic) -> Result<(), Fatal> {
        self.sink.emit(mistake);
        self.n_reported += 1;
        if self.n_reported < MOST {
            Ok(())
        } else {
            Err(Fatal)
        }
    }

    /// Reports a mistake that ends parsing.
    pub(super) fn fatal(&mut self, mistake: impl IntoDiagnostic) -> Fatal {
        self.sink.emit(mistake);
        self.n_reported += 1;
        Fatal
    }

    pub(super) fn is_empty(&self) -> bool {
        self.n_reported == 0
    }

    /// The span of `length` bytes at `start`.
    pub(super) fn span(&self, start: u32, length: usize) -> Span {
        Span::new(self.file, start, advanced(start, length))
    }
}

/// The offset `length` bytes further.
pub(super) fn advanced(offset: u32, length: usize) -> u32 {
    u32::try_from(length)
        .ok()
        .and_then(|length| offset.checked_add(length))
        .expect("offsets stay within a document, which is limited to 64 MiB")
}
