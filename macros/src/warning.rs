//! Warnings of a macro.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// A macro on stable Rust cannot emit warnings; a deprecated item can, with a note of our choice.
pub(crate) fn warning(note: &str, span: Span) -> TokenStream {
    quote_spanned! {span=>
        const _: () = {
            #[deprecated(note = #note)]
            const LINT_OF_THE_WORKFLOW: () = ();
            LINT_OF_THE_WORKFLOW
        };
    }
}
