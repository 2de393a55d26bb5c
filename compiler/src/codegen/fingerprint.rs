//! Fingerprints (stable hashes): of tokens, to detect changed files, and of names, to choose the file of a node.
//!
//! They are compared with those of earlier builds, so the algorithm (FNV-1a, 64 bits) is implemented here; that of the
//! standard library may change.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// Separates tokens, so that `a b` and `ab` differ. No token contains this byte.
const SEPARATOR: &[u8] = &[0xff];

/// The fingerprint of a text.
pub(crate) fn of_text(text: &str) -> u64 {
    with_bytes(OFFSET_BASIS, text.as_bytes())
}

/// The fingerprint of another fingerprint and a text.
pub(crate) fn with_text(fingerprint: u64, text: &str) -> u64 {
    with_bytes(with_bytes(fingerprint, text.as_bytes()), SEPARATOR)
}

/// The result of one pass over tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) fingerprint: u64,
    /// Those of the requested names that occur as an identifier or as the first segment of a path. A name with `::`
    /// matches only such a first segment.
    pub(crate) used: BTreeSet<&'static str>,
}

/// Scans tokens in a single pass, because with thousands of nodes each pass takes noticeable time. `names` is sorted.
pub(crate) fn scan(tokens: &TokenStream, names: &[&'static str]) -> Scan {
    let mut scan = Scan {
        fingerprint: OFFSET_BASIS,
        used: BTreeSet::new(),
    };
    scan.tokens(tokens.clone(), names);
    scan
}

impl Scan {
    fn tokens(&mut self, tokens: TokenStream, names: &[&'static str]) {
        let mut n_colons = 0;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let mut is_colon = false;
            match token {
                TokenTree::Group(group) => {
                    self.bytes(match group.delimiter() {
                        Delimiter::Parenthesis => b"(",
                        Delimiter::Brace => b"{",
                        Delimiter::Bracket => b"[",
                        Delimiter::None => b"",
                    });
                    self.tokens(group.stream(), names);
                }
                TokenTree::Ident(ident) => {
                    let ident = ident.to_string();
                    self.bytes(ident.as_bytes());
                    if n_colons < 2 {
                        if let Ok(index) = names.binary_search(&ident.as_str()) {
                            self.used.insert(names[index]);
                        }
                        let is_path = matches!(
                            tokens.peek(),
                            Some(TokenTree::Punct(next)) if next.as_char() == ':' && next.spacing() == Spacing::Joint
                        );
                        if is_path
                            && let Ok(index) =
                                names.binary_search_by(|name| is_before(name, &ident))
                        {
                            self.used.insert(names[index]);
                        }
                    }
                }
                TokenTree::Punct(punct) => {
                    is_colon = punct.as_char() == ':';
                    self.bytes(punct.as_char().encode_utf8(&mut [0; 4]).as_bytes());
                }
                TokenTree::Literal(literal) => self.bytes(literal.to_string().as_bytes()),
            }
            self.bytes(SEPARATOR);
            n_colons = if is_colon { n_colons + 1 } else { 0 };
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.fingerprint = with_bytes(self.fingerprint, bytes);
    }
}

/// Compares `name` with `ident` followed by `::`.
fn is_before(name: &str, ident: &str) -> std::cmp::Ordering {
    name.bytes().cmp(ident.bytes().chain(*b"::"))
}

fn with_bytes(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |state, &byte| {
        (state ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn text_has_the_published_value_of_the_algorithm() {
        assert_eq!(of_text(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of_text("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of_text("foobar"), 0x8594_4171_f739_67e8);
    }

    #[track_caller]
    fn check_differ(left: &TokenStream, right: &TokenStream) {
        assert_eq!(scan(left, &[]), scan(&left.clone(), &[]));
        assert_ne!(scan(left, &[]), scan(right, &[]), "{left} / {right}");
    }

    #[test]
    fn tokens_that_differ_have_other_fingerprints() {
        check_differ(&quote!(a b), &quote!(ab));
        check_differ(&quote!(f(a)), &quote!(f[a]));
        check_differ(&quote!((a) b), &quote!((a b)));
        check_differ(&quote!("x"), &quote!("y"));
        check_differ(&quote!(1), &quote!(2));
    }

    #[test]
    fn texts_do_not_run_into_each_other() {
        assert_ne!(
            with_text(with_text(0, "a"), "bc"),
            with_text(with_text(0, "ab"), "c")
        );
    }

    #[test]
    fn names_that_begin_a_path_are_found() {
        let tokens = quote!(A {
            b: C::D,
            e: ::F::A,
            g: [H(I)]
        });
        let used = scan(&tokens, &["A", "C", "D", "F", "I", "J"]).used;
        assert_eq!(used.into_iter().collect::<Vec<_>>(), ["A", "C", "I"]);
    }
}
