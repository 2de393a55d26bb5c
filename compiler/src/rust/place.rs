//! Places in Rust tokens, and mistakes at them.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, Member, PathArguments};

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

    /// The same for an expression. Inside rustc, tokens are slow to make, and a chain of methods has many expressions that begin at
    /// one place: the ends of usual expressions are found in the tree.
    pub(super) fn of_expr(expr: &Expr) -> Place {
        match (first(expr), last(expr)) {
            (Some(from), Some(to)) => Place { from, to },
            _ => Place::of(expr),
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

/// The first token of an expression; `None` if only its tokens tell it.
fn first(expr: &Expr) -> Option<Span> {
    match expr {
        Expr::MethodCall(it) if it.attrs.is_empty() => first(&it.receiver),
        Expr::Field(it) if it.attrs.is_empty() => first(&it.base),
        Expr::Await(it) if it.attrs.is_empty() => first(&it.base),
        Expr::Try(it) if it.attrs.is_empty() => first(&it.expr),
        Expr::Call(it) if it.attrs.is_empty() => first(&it.func),
        Expr::Binary(it) if it.attrs.is_empty() => first(&it.left),
        Expr::Reference(it) if it.attrs.is_empty() => Some(it.and_token.span),
        Expr::Paren(it) if it.attrs.is_empty() => Some(it.paren_token.span.join()),
        Expr::Lit(it) if it.attrs.is_empty() => Some(it.lit.span()),
        Expr::Macro(it) if it.attrs.is_empty() => first_of_path(&it.mac.path),
        Expr::Path(it) if it.attrs.is_empty() && it.qself.is_none() => first_of_path(&it.path),
        _ => None,
    }
}

fn first_of_path(path: &syn::Path) -> Option<Span> {
    let first = path.segments.first()?;
    path.leading_colon.is_none().then(|| first.ident.span())
}

/// The last token of an expression; `None` if only its tokens tell it.
fn last(expr: &Expr) -> Option<Span> {
    match expr {
        Expr::MethodCall(it) => Some(it.paren_token.span.join()),
        Expr::Call(it) => Some(it.paren_token.span.join()),
        Expr::Paren(it) => Some(it.paren_token.span.join()),
        Expr::Field(it) => Some(match &it.member {
            Member::Named(name) => name.span(),
            Member::Unnamed(index) => index.span,
        }),
        Expr::Await(it) => Some(it.await_token.span),
        Expr::Try(it) => Some(it.question_token.span),
        Expr::Binary(it) => last(&it.right),
        Expr::Reference(it) => last(&it.expr),
        Expr::Lit(it) => Some(it.lit.span()),
        Expr::Macro(it) => Some(it.mac.delimiter.span().join()),
        Expr::Path(it) => {
            let last = it.path.segments.last()?;
            matches!(last.arguments, PathArguments::None).then(|| last.ident.span())
        }
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_an_expression_are_those_of_its_tokens() {
        for text in [
            "a",
            "a::b",
            "::a::b",
            "a::<T>",
            "<T as U>::a",
            "\"text\"",
            "-1",
            "true",
            "&a.b",
            "&mut a",
            "(a, b).0",
            "(a + b) * c",
            "(a)",
            "a == (b)",
            "x::f(a)(b)",
            "shell(\"wc\").arg(el!(\"${x}\")).await?",
            "el!(\"${x}\")",
            "vec![1, 2]",
            "a[1].b",
            "Copy { from: a, ..b }.retry(1, minutes(1))",
            "#[a] b.c(d)",
            "if a { b } else { c }",
            "|| a",
        ] {
            let expr: Expr = syn::parse_str(text).expect("it is an expression");
            let range = |place: Place| {
                let (from, to) = (place.from.start(), place.to.end());
                (from.line, from.column, to.line, to.column)
            };
            assert_eq!(
                range(Place::of_expr(&expr)),
                range(Place::of(&expr)),
                "{text}"
            );
        }
    }
}
