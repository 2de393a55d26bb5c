//! Calls of builders whose arguments are all texts, such as `.arg("--day")`: the reader knows the methods, and rustc would find nothing.
//! To leave them out of the shadow saves rustc most of its work on large workflows.

use proc_macro2::TokenStream;
use syn::{Expr, ExprMethodCall, Lit, Path};

use crate::rust::{
    builders::Builder,
    tokens::{is_macro, name_in_flow},
};

/// What has been left out.
#[derive(Default)]
pub(super) struct LeftOut {
    /// The macros that were called there, so that their imports are used.
    pub(super) macros: Vec<Path>,
}

impl LeftOut {
    /// Leaves the calls out of a chain of methods.
    pub(super) fn of(&mut self, chain: &mut Expr) {
        let Some(builder) = builder_of(chain) else {
            return;
        };
        let mut rest = chain;
        loop {
            match rest {
                Expr::MethodCall(call) if is_of_texts(builder, call) => {
                    call.args.iter().for_each(|it| self.add_macro(it));
                    let nothing = Expr::Verbatim(TokenStream::new());
                    *rest = std::mem::replace(&mut *call.receiver, nothing);
                }
                Expr::MethodCall(call) => rest = &mut call.receiver,
                _ => return,
            }
        }
    }

    fn add_macro(&mut self, argument: &Expr) {
        if let Expr::Macro(call) = argument
            && !self.macros.iter().any(|it| is_equal(it, &call.mac.path))
        {
            self.macros.push(call.mac.path.clone());
        }
    }
}

/// Whether two paths have the same names.
fn is_equal(path: &Path, other: &Path) -> bool {
    let (names, others) = (path.segments.iter(), other.segments.iter());
    names.map(|it| &it.ident).eq(others.map(|it| &it.ident))
}

/// The builder that a chain of methods begins with.
fn builder_of(chain: &Expr) -> Option<&'static Builder> {
    match chain {
        Expr::MethodCall(call) => builder_of(&call.receiver),
        Expr::Call(call) => match &*call.func {
            Expr::Path(function) => Builder::named(&name_in_flow(&function.path)?.to_string()),
            _ => None,
        },
        _ => None,
    }
}

fn is_of_texts(builder: &'static Builder, call: &ExprMethodCall) -> bool {
    let n_arguments = match builder.method(&call.method) {
        Some(method) => Some(method.writes.n_arguments()),
        None => (call.method == "named").then_some(1),
    };
    call.attrs.is_empty()
        && call.turbofish.is_none()
        && n_arguments == Some(call.args.len())
        && call.args.iter().all(is_text)
}

fn is_text(argument: &Expr) -> bool {
    match argument {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Str(_)) && literal.attrs.is_empty(),
        argument => is_macro(argument, "el"),
    }
}
