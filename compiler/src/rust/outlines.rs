//! The functions that are made of expressions, as far as they are made: data of [`outline`](crate::rust::outline) that the state of
//! reading has.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::Expr;

use crate::rust::{own_names, place::Place, value::Code};

/// A function that was made of an expression.
#[derive(Clone, Debug)]
pub struct OutlinedFunction {
    /// Its name in expressions, without the prefix.
    pub name: String,
    pub n_arguments: usize,
    /// An expression of Rust for the `Function` of the runtime.
    pub tokens: TokenStream,
    /// The expression, in one line.
    pub source: String,
}

/// The type of an action's data.
#[derive(Clone)]
pub(super) enum DataType {
    /// The name of the type.
    Named(TokenStream),
    /// What an action of this type gives, which only rustc knows.
    OfAction(TokenStream),
}

/// The functions that were made so far, and what they are made with.
#[derive(Default)]
pub(super) struct Outlines {
    /// The prefix of the functions: the name of the workflow.
    pub(super) prefix: String,
    /// What the next functions are named after: the node that is read.
    pub(super) naming: String,
    /// Oozie evaluates what is read before the job runs, without functions.
    pub(super) is_before_job: bool,
    /// The types of the properties.
    pub(super) properties: BTreeMap<String, syn::Type>,
    /// The types of the data of nodes, where they are known.
    pub(super) data: BTreeMap<usize, DataType>,
    pub(super) functions: Vec<OutlinedFunction>,
    /// By what they do: equal expressions share one function.
    pub(super) keys: BTreeMap<String, usize>,
    names: BTreeSet<String>,
    /// Where the expressions stand that are no expressions of Oozie.
    pub(super) places: Outlined,
}

/// Expressions, by their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlined(BTreeSet<[usize; 4]>);

impl Outlined {
    /// `None` in rust-analyzer, where all tokens have one place.
    fn of(expr: &Expr) -> Option<[usize; 4]> {
        let place = Place::of_expr(expr);
        let (from, to) = (place.from.start(), place.to.end());
        (from != to).then_some([from.line, from.column, to.line, to.column])
    }

    pub(super) fn add(&mut self, expr: &Expr) {
        self.0.extend(Outlined::of(expr));
    }

    pub(super) fn has(&self, expr: &Expr) -> bool {
        !self.0.is_empty() && Outlined::of(expr).is_some_and(|place| self.0.contains(&place))
    }
}

impl Outlines {
    /// A line for each function: what it is in Rust.
    pub(super) fn notes(&self) -> Vec<String> {
        let functions = self.functions.iter();
        functions
            .map(|function| format!("{}:{}: {}", self.prefix, function.name, function.source))
            .collect()
    }

    /// A name that no other function has.
    pub(super) fn free_name(&mut self, wanted: &str, is_numbered: bool) -> String {
        let stem = own_names::named(wanted);
        let mut n = 1;
        loop {
            let name = match (is_numbered, n) {
                (false, 1) => stem.clone(),
                _ => format!("{stem}_{n}"),
            };
            if self.names.insert(name.clone()) {
                return name;
            }
            n += 1;
        }
    }
}

/// What a function takes, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Captures {
    items: Vec<Item>,
}

/// A statement that gives a name its value, with the arguments that it reads.
#[derive(Clone, Debug)]
struct Item {
    arguments: Vec<Code>,
    statement: TokenStream,
}

/// What the value of a `let` is to functions that name it: what it takes itself, and the statement.
pub(super) type Native = Result<Captures, Refused>;

/// Why an expression cannot become a function.
#[derive(Clone, Debug)]
pub(super) enum Refused {
    Mistake(Place, String),
    /// rustc would report it too, in words of its own.
    MistakeOfRustc(Place, String),
    /// It has been reported, or rustc reports it.
    Reported,
}

impl Captures {
    pub(super) fn push(&mut self, arguments: Vec<Code>, statement: TokenStream) {
        self.items.push(Item {
            arguments,
            statement,
        });
    }

    /// Adds what a name takes. What is there already is not read again.
    pub(super) fn extend(&mut self, other: Captures, name: &Ident) -> Result<(), Refused> {
        for item in other.items {
            let taken = name_of(&item.statement);
            match self.items.iter().find(|it| name_of(&it.statement) == taken) {
                Some(same) if spelled(&same.statement) == spelled(&item.statement) => {}
                Some(_) => {
                    let taken = taken.unwrap_or_default();
                    let message = format!(
                        "`{taken}` stands for two things in this expression and in the values that it names: give one of them another name"
                    );
                    return Err(Refused::Mistake(Place::at(name.span()), message));
                }
                None => self.items.push(item),
            }
        }
        Ok(())
    }

    /// The arguments, as the expression language spells them.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &Code> {
        self.items.iter().flat_map(|item| &item.arguments)
    }

    /// The statements that read them.
    pub(super) fn statements(&self) -> impl Iterator<Item = &TokenStream> {
        self.items.iter().map(|item| &item.statement)
    }
}

/// The name that a statement gives a value.
fn name_of(statement: &TokenStream) -> Option<String> {
    let second = statement.clone().into_iter().nth(1);
    second.map(|token| token.to_string())
}

/// The tokens of an expression, to compare it.
pub(super) fn spelled(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}
