//! The mistakes of an item, all at once.

use proc_macro2::Span;
use syn::spanned::Spanned;

#[derive(Default)]
pub(crate) struct Mistakes(Option<syn::Error>);

impl Mistakes {
    pub(crate) fn add(&mut self, place: &impl Spanned, problem: impl std::fmt::Display) {
        self.push(syn::Error::new(place.span(), problem));
    }

    pub(crate) fn push_at(&mut self, place: Span, problem: impl std::fmt::Display) {
        self.push(syn::Error::new(place, problem));
    }

    /// What was read, if that was no mistake.
    pub(crate) fn of<T>(&mut self, read: syn::Result<T>) -> Option<T> {
        match read {
            Ok(read) => Some(read),
            Err(error) => {
                self.push(error);
                None
            }
        }
    }

    /// # Errors
    ///
    /// There are mistakes.
    pub(crate) fn none(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }

    fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// What was read, if there are none.
    ///
    /// # Errors
    ///
    /// All of them.
    pub(crate) fn none_or<T>(self, read: T) -> syn::Result<T> {
        match self.0 {
            Some(mistakes) => Err(mistakes),
            None => Ok(read),
        }
    }
}
