//! The functions of the workflow context: one table for the compiler, the tree walker, and the documentation.
//!
//! Each function is a plain Rust function in the file of its prefix, which generated code calls directly. [`call`] coerces
//! arguments by their declared types and calls the same one.

use crate::el::{
    error::{ElError, ElErrorKind},
    scope::Scope,
    types::Type,
    value::{Described, Value},
};

pub mod basic;
pub mod fs;
pub mod hadoop;
pub mod hcat;
mod map_text;
pub mod proposal;
pub mod wf;

/// A function of the expression language.
pub struct Function {
    pub prefix: Option<&'static str>,
    pub name: &'static str,
    /// Arguments are coerced to these.
    pub params: &'static [Type],
    pub result: Type,
    pub needs: Needs,
    /// One phrase.
    pub doc: &'static str,
    /// Takes as many arguments as there are parameters, coerced to their types.
    body: fn(&dyn Scope, &[Value]) -> Result<Value, ElError>,
}

/// What a function's result depends on besides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Nothing: the function may be called at compile time.
    Nothing,
    Clock,
    /// The running job and its nodes.
    Job,
    /// A file system, which may be slow or fail.
    Files,
    /// A Hadoop cluster.
    Cluster,
}

/// The languages that documents are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// That of all schemas.
    Oozie,
    /// That of the proposal of 2009, without a schema.
    Proposal,
}

impl Function {
    /// Whether a document in that language may call it.
    pub fn is_of(&self, dialect: Dialect) -> bool {
        let is_own = proposal::is_own(self.prefix, self.name);
        match dialect {
            Dialect::Oozie => !is_own,
            Dialect::Proposal => is_own || proposal::is_shared(self.prefix, self.name),
        }
    }

    /// As written in EL: `wf:conf`, `concat`.
    pub fn full_name(&self) -> String {
        full_name(self.prefix, self.name)
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function({})", self.full_name())
    }
}

/// All functions of both languages.
pub fn all() -> impl Iterator<Item = &'static Function> {
    TABLES.iter().flat_map(|table| table.iter())
}

const TABLES: [&[Function]; 6] = [
    basic::FUNCTIONS,
    wf::FUNCTIONS,
    fs::FUNCTIONS,
    hadoop::FUNCTIONS,
    hcat::FUNCTIONS,
    proposal::FUNCTIONS,
];

/// The function of this prefix and name, of either language; names are case-sensitive and never overloaded.
pub fn find(prefix: Option<&str>, name: &str) -> Option<&'static Function> {
    let table = match prefix {
        None => basic::FUNCTIONS,
        Some("wf") => wf::FUNCTIONS,
        Some("fs") => fs::FUNCTIONS,
        Some("hadoop") => hadoop::FUNCTIONS,
        Some("hcat") => hcat::FUNCTIONS,
        Some(_) => &[],
    };
    let oozie = table.iter().find(|function| function.name == name);
    oozie.or_else(|| {
        let mut own = proposal::FUNCTIONS.iter();
        own.find(|function| function.prefix == prefix && function.name == name)
    })
}

/// Calls `function` with evaluated arguments.
///
/// # Errors
///
/// `UnknownFunction` for a wrong number of arguments, Coercion for an argument of the wrong type, and what the function
/// itself reports.
pub fn call(
    function: &Function,
    scope: &dyn Scope,
    mut args: Vec<Value>,
) -> Result<Value, ElError> {
    check_count(function, args.len())?;
    for (at, (arg, param)) in args.iter_mut().zip(function.params).enumerate() {
        let value = std::mem::take(arg);
        *arg = coerce(value, *param).map_err(|mut error| {
            let name = function.full_name();
            error
                .message
                .push_str(&format!(" as argument {} of `{name}`", at + 1));
            error
        })?;
    }
    (function.body)(scope, &args)
}

/// Whether `function` takes `count` arguments.
///
/// # Errors
///
/// `UnknownFunction`, if not.
pub fn check_count(function: &Function, count: usize) -> Result<(), ElError> {
    let expected = function.params.len();
    if count == expected {
        return Ok(());
    }
    let plural = if expected == 1 { "" } else { "s" };
    Err(ElError::new(
        ElErrorKind::UnknownFunction,
        format!(
            "expected {expected} argument{plural} for `{}`, found {count}",
            function.full_name()
        ),
    ))
}

/// The error for a function that is not in the table.
pub fn unknown(prefix: Option<&str>, name: &str) -> ElError {
    ElError::new(
        ElErrorKind::UnknownFunction,
        format!("undefined function `{}`", full_name(prefix, name)),
    )
}

fn full_name(prefix: Option<&str>, name: &str) -> String {
    match prefix {
        Some(prefix) => format!("{prefix}:{name}"),
        None => name.to_owned(),
    }
}

/// What a parameter of type `param` receives (commons-el's `Coercions.coerce`).
fn coerce(value: Value, param: Type) -> Result<Value, ElError> {
    match param {
        Type::Text | Type::NullableText => Ok(Value::Text(value.into_text())),
        Type::Bool => value.to_bool().map(Value::Bool),
        Type::Long => value.to_long().map(Value::Long),
        Type::Double => value.to_double().map(Value::Double),
        Type::Object | Type::Null => Ok(value),
        Type::Map => match value {
            Value::Map(_) | Value::Null => Ok(value),
            Value::Text(text) if text.is_empty() => Ok(Value::Null),
            other @ (Value::Text(_) | Value::Bool(_) | Value::Long(_) | Value::Double(_)) => Err(
                ElError::coercion(format!("expected a map, found {}", Described(&other))),
            ),
        },
    }
}

/// The text that [`call`] has coerced argument `at` to.
fn text(args: &[Value], at: usize) -> &str {
    match args.get(at) {
        Some(Value::Text(text)) => text,
        Some(Value::Null | Value::Bool(_) | Value::Long(_) | Value::Double(_) | Value::Map(_))
        | None => "",
    }
}
