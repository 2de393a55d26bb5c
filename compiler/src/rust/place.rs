//! Places in Rust tokens, and mistakes at them.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// From one token to another. Stable Rust cannot join two spans, so both ends are kept.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub from: Span,
    pub to: Span,
}

impl Place {
    pub(super) fn of(tokens: &impl ToTokens) -> Place {
        let mut spans = tokens.to_token_stream().into_iter();
        match spans.next() {
            Some(first) => Place {
                from: first.span(),
                to: spans.last().map_or(first.span(), |last| last.span()),
            },
            None => Place::at(Span::call_site()),
        }
    }

    pub fn at(span: Span) -> Place {
        Place {
            from: span,
            to: span,
        }
    }

    /// From the start of this one to the end of the other.
    pub(super) fn to(self, other: Place) -> Place {
        Place {
            from: self.from,
            to: other.to,
        }
    }

    /// Tokens that make an error of rustc point here: a diagnostic spans from its first token to its last.
    pub fn error(self, message: &str) -> TokenStream {
        syn::Error::new_spanned(self, message).into_compile_error()
    }
}

impl ToTokens for Place {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for span in [self.from, self.to] {
            tokens.extend([proc_macro2::TokenTree::Punct({
                let mut punct = proc_macro2::Punct::new('.', proc_macro2::Spacing::Alone);
                punct.set_span(span);
                punct
            })]);
        }
    }
}

/// Something that is Rust, but no workflow.
#[derive(Clone, Debug)]
pub struct Mistake {
    pub place: Place,
    pub message: String,
    /// rustc would report the same at the same place, in words of its own.
    pub rustc_reports_it: bool,
}
