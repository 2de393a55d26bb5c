//! Tokens of rustc and tokens of the macro itself. Each token that a macro makes or looks at in rustc is a call into rustc, which
//! is slow; the code of a large workflow has a million of them. So that code is made of tokens in the macro's own memory, and
//! rustc gets its text.

use std::sync::{Mutex, MutexGuard, PoisonError};

use proc_macro2::{LexError, TokenStream, fallback};
use quote::quote;

/// Held by each expansion, since [`in_memory`] changes what tokens are for all threads of the process.
static EXPANSION: Mutex<()> = Mutex::new(());

/// Starts an expansion. Editors may run several at once: they wait for each other.
pub(crate) fn expansion() -> MutexGuard<'static, ()> {
    EXPANSION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of `make`, which works with tokens in memory and must neither get nor give any of rustc. `proc_macro2` keeps this
/// part of its interface out of its documentation, for being needed rarely.
pub(crate) fn in_memory<T>(make: impl FnOnce() -> T) -> T {
    struct Forced;

    impl Drop for Forced {
        fn drop(&mut self) {
            fallback::unforce();
        }
    }

    fallback::force();
    let _forced = Forced;
    make()
}

/// The tokens of rustc for a text that was printed from tokens; outside of rustc, in tests, those of `proc_macro2`. That would read the
/// text twice in rustc: once itself, since rustc may panic at a text that has no tokens.
pub(crate) fn parsed(text: &str) -> TokenStream {
    let tokens = match proc_macro::is_available() {
        true => text
            .parse()
            .map(|tokens: proc_macro::TokenStream| tokens.into())
            .map_err(|error| error.to_string()),
        false => text.parse().map_err(|error: LexError| error.to_string()),
    };
    tokens.unwrap_or_else(|error| {
        let problem = format!("hpdlc made code that is not Rust: {error}: report it");
        quote!(::core::compile_error!(#problem);)
    })
}
