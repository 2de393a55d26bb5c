//! The expansion of `include_workflow!`, on tokens that exist outside rustc too, so that it is tested as a function.

use std::path::{Path, PathBuf};

use hpdlc::{
    build::{self, Message, Refusal},
    diagnostics::Level,
};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::LitStr;

use crate::{bridge, module, warning::warning};

/// The crate by which the program has the runtime.
#[derive(Clone, Copy)]
pub(crate) enum Through {
    Runtime,
    Flow,
}

/// Expands to the items of the workflow that `input` names, or to the diagnostics for rustc. A relative path starts at
/// `package_folder`.
pub(crate) fn expand(
    input: TokenStream,
    package_folder: Option<&Path>,
    through: Through,
) -> TokenStream {
    let path = match syn::parse2::<LitStr>(input) {
        Ok(path) => path,
        Err(error) => {
            let message =
                "`include_workflow!` takes one string: the path of a folder with a `workflow.xml`";
            return syn::Error::new(error.span(), message).into_compile_error();
        }
    };
    let span = path.span();
    let path = PathBuf::from(path.value());
    if path.is_relative() && package_folder.is_none() {
        let message = format!(
            "`{}` is relative to CARGO_MANIFEST_DIR, which is not set: build with cargo, or give an absolute path",
            path.display()
        );
        return syn::Error::new(span, message).into_compile_error();
    }
    let embedded = bridge::in_memory(|| {
        let embedded = build::embed(package_folder.unwrap_or(Path::new("/")), &path)?;
        let tokens = match through {
            Through::Runtime => embedded.tokens,
            Through::Flow => module::through_flow(embedded.tokens),
        };
        Ok(Compiled {
            program: tokens.to_string(),
            inputs: embedded.inputs,
            warnings: embedded.warnings,
        })
    });
    match embedded {
        Ok(compiled) => items(&compiled, through, span),
        Err(refusal) => errors(&refusal, span),
    }
}

/// A compiled application, without tokens in memory.
struct Compiled {
    /// The text of its items.
    program: String,
    inputs: Vec<PathBuf>,
    warnings: Vec<Message>,
}

fn items(compiled: &Compiled, through: Through, span: Span) -> TokenStream {
    let program = bridge::parsed(&compiled.program);
    let inputs = compiled.inputs.iter();
    let inputs = inputs.map(|path| path.display().to_string());
    let warnings = compiled.warnings.iter();
    let warnings = warnings.map(|message| warning(&text(message), span));
    let started = match through {
        Through::Flow => Some(module::started()),
        Through::Runtime => None,
    };
    quote! {
        #program
        #started
        // rustc tracks a file only if the program includes it.
        const _: &[&[u8]] = &[#(::core::include_bytes!(#inputs)),*];
        #(#warnings)*
    }
}

fn errors(refusal: &Refusal, span: Span) -> TokenStream {
    refusal
        .messages
        .iter()
        .map(|message| match message.level {
            Level::Error => syn::Error::new(span, text(message)).into_compile_error(),
            Level::Warning | Level::Note => warning(&text(message), span),
        })
        .collect()
}

/// One line that is complete in itself, then the report without its first line, which would repeat it.
fn text(message: &Message) -> String {
    match message.report.split_once('\n') {
        Some((_, rest)) => format!("{}\n{rest}", message.line),
        None => message.line.clone(),
    }
}

#[cfg(test)]
mod tests;
