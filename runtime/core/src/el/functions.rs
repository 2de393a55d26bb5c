//! The functions of all contexts: one table for the compiler, the tree walker, and the documentation.
//!
//! Each function is a plain Rust function in the file of its prefix, which generated code calls directly. [`call`] coerces
//! arguments to their declared types and calls the same function.

use crate::{
    el::{
        ast::{Expr, ExprKind},
        error::{ElError, ElErrorKind},
        phase::{Phase, Phases},
        scope::Scope,
        types::Type,
        value::{Described, Value},
    },
    limits,
};

/// The functions of a prefix: a static each, by which generated programs name it, and the table of all. Each is written
/// `STATIC = "prefix:name"(PARAMS) -> RESULT, NEEDS in PHASES, DOC, BODY;`, see [`Function`]; without phases it is one of workflows.
macro_rules! functions {
    ($($name:ident = $full_name:literal($($param:ident),*) -> $result:ident, $needs:ident $(in $phases:ident)?, $doc:literal,
        $body:expr;)*) => {
        $(pub static $name: super::Function = {
            use super::{Function, Needs, Type, prefix_and_name};
            let (prefix, name) = prefix_and_name($full_name);
            Function {
                prefix,
                name,
                params: &[$(Type::$param),*],
                result: Type::$result,
                phases: functions!(@phases $($phases)?),
                needs: Needs::$needs,
                doc: $doc,
                body: $body,
            }
        };)*

        pub(super) static FUNCTIONS: &[&super::Function] = &[$(&$name),*];
    };
    (@phases) => { super::WORKFLOW };
    (@phases $phases:ident) => { $phases };
}

pub mod basic;
pub mod coord;
pub mod fs;
pub mod hadoop;
pub mod hcat;
mod map_text;
pub mod proposal;
pub mod wf;

/// What a function does. It takes exactly as many arguments as there are parameters, coerced to their types.
pub type Body = fn(&dyn Scope, &[Value]) -> Result<Value, ElError>;

/// A function of the expression language.
pub struct Function {
    pub prefix: Option<&'static str>,
    pub name: &'static str,
    /// Arguments are coerced to these.
    pub params: &'static [Type],
    pub result: Type,
    /// Where it may be called.
    pub phases: Phases,
    pub needs: Needs,
    /// One phrase.
    pub doc: &'static str,
    body: Body,
}

/// What a function's result depends on besides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Nothing: the function may be called at compile time.
    Nothing,
    /// What is fixed for the job: its properties, id, name and user.
    Job,
    /// The state of the running job: how its nodes ended, and their captured data.
    Nodes,
    Clock,
    /// A file system, which may be slow or fail.
    Files,
    /// The configuration of a Hadoop cluster, which is in files.
    Cluster,
    /// A coordinator's action, or other values that a coordinator or bundle evaluates.
    Coordinator,
}

/// The phase of most functions.
const WORKFLOW: Phases = Phases::of(&[Phase::Workflow]);

/// The dialects of workflow documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// That of all Oozie schemas.
    Oozie,
    /// That of the proposal of 2009, which has no schema.
    Proposal,
}

impl Dialect {
    /// The dialect of a document, from the local name of its root.
    pub fn of_root(name: &str) -> Dialect {
        if name == proposal::ROOT_ELEMENT {
            Dialect::Proposal
        } else {
            Dialect::Oozie
        }
    }
}

impl Function {
    /// A function of a program, which is in no table: only generated code and the program itself know it. It takes its arguments as
    /// they are, and depends on nothing else.
    pub const fn own(
        prefix: &'static str,
        name: &'static str,
        params: &'static [Type],
        body: Body,
    ) -> Function {
        Function {
            prefix: Some(prefix),
            name,
            params,
            result: Type::Object,
            phases: WORKFLOW,
            needs: Needs::Nothing,
            doc: "a function of the program",
            body,
        }
    }

    /// Whether a workflow in that dialect may call it.
    pub fn is_of(&self, dialect: Dialect) -> bool {
        if !self.phases.has(Phase::Workflow) {
            return false;
        }
        let is_own = proposal::is_own(self.prefix, self.name);
        match dialect {
            Dialect::Oozie => !is_own,
            Dialect::Proposal => is_own || proposal::is_shared(self.prefix, self.name),
        }
    }

    /// The index of its regular expression parameter, which is compiled in every call.
    pub fn pattern_param(&self) -> Option<usize> {
        match (self.prefix, self.name) {
            (None, "replaceAll") => Some(1),
            (None, "appendAll") => Some(2),
            _ => None,
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

/// All functions: those that Oozie configures, and those of the proposal of 2009.
pub fn all() -> impl Iterator<Item = &'static Function> {
    let tables = [
        basic::FUNCTIONS,
        wf::FUNCTIONS,
        fs::FUNCTIONS,
        hadoop::FUNCTIONS,
        hcat::FUNCTIONS,
        proposal::FUNCTIONS,
        coord::FUNCTIONS,
    ];
    tables.into_iter().flatten().copied()
}

/// The functions that `expr` calls, including those in arguments; `None` for each call of an unknown function.
pub fn called_in(expr: &Expr) -> Vec<Option<&'static Function>> {
    let mut called = Vec::new();
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        if let ExprKind::Call { prefix, name, .. } = &expr.kind {
            called.push(find(prefix.as_deref(), name));
        }
        left.extend(expr.children());
    }
    called
}

/// Whether evaluating `expr` may block on a file system or a cluster.
pub fn is_blocking(expr: &Expr) -> bool {
    let mut called = called_in(expr).into_iter().flatten();
    called.any(|function| match function.needs {
        Needs::Files | Needs::Cluster => true,
        Needs::Nothing | Needs::Job | Needs::Nodes | Needs::Clock | Needs::Coordinator => false,
    })
}

/// The function of this prefix and name, of either dialect; names are case-sensitive and never overloaded.
pub fn find(prefix: Option<&str>, name: &str) -> Option<&'static Function> {
    let table = match prefix {
        None => basic::FUNCTIONS,
        Some("wf") => wf::FUNCTIONS,
        Some("fs") => fs::FUNCTIONS,
        Some("hadoop") => hadoop::FUNCTIONS,
        Some("hcat") => hcat::FUNCTIONS,
        Some("coord" | "bundle") => coord::FUNCTIONS,
        Some(_) => &[],
    };
    let named = table.iter().chain(proposal::FUNCTIONS);
    named
        .copied()
        .find(|function| function.name == name && function.prefix == prefix)
}

/// Whether `scope` supplies the value of `function`: one of coordinators or bundles. Then the scope decides when it may be
/// called, and with which arguments.
pub fn is_supplied(function: &Function, scope: &dyn Scope) -> bool {
    function.needs == Needs::Coordinator && scope.coordinator().has(function.prefix, function.name)
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
    if is_supplied(function, scope) {
        let value = scope.coordinator().call(function.name, &args)?;
        if let Value::Text(text) = &value {
            limits::check(text.len(), 0).map_err(ElError::too_long)?;
        }
        return Ok(value);
    }
    check_count(function, args.len())?;
    for (at, arg) in args.iter_mut().enumerate() {
        *arg = argument(function, at, std::mem::take(arg))?;
    }
    if function.needs == Needs::Coordinator {
        return Err(ElError::needs_coordinator(format_args!(
            "function `{}`",
            function.full_name()
        )));
    }
    let value = (function.body)(scope, &args)?;
    // Few functions make a text longer than their arguments; those that can make a much longer one check first.
    if let Value::Text(text) = &value {
        limits::check(text.len(), 0)
            .map_err(|problem| ElError::function(&function.full_name(), problem))?;
    }
    Ok(value)
}

/// The value that parameter `at` receives.
///
/// # Errors
///
/// Coercion, if the value is of the wrong type.
pub fn argument(function: &Function, at: usize, value: Value) -> Result<Value, ElError> {
    let Some(param) = function.params.get(at) else {
        return Ok(value);
    };
    coerce(value, *param).map_err(|mut error| {
        let name = function.full_name();
        error
            .message
            .push_str(&format!(" as argument {} of `{name}`", at + 1));
        error
    })
}

/// Whether `function` can be called in a scope.
///
/// # Errors
///
/// `UnknownFunction` if not: Oozie does not define it in the phase.
pub fn check_scope(function: &Function, scope: &dyn Scope) -> Result<(), ElError> {
    if is_supplied(function, scope) {
        return Ok(());
    }
    check_phase(function, scope.phase())
}

/// Whether `function` can be called in `phase`.
///
/// # Errors
///
/// `UnknownFunction` if not: Oozie does not define it there.
pub fn check_phase(function: &Function, phase: Phase) -> Result<(), ElError> {
    if function.phases.has(phase) {
        return Ok(());
    }
    let phases: Vec<&str> = function.phases.iter().map(Phase::name).collect();
    Err(ElError::new(
        ElErrorKind::UnknownFunction,
        format!(
            "function `{}` is not available in phase `{}`",
            function.full_name(),
            phase.name()
        ),
    )
    .with_help(format!("it is available in `{}`", phases.join("`, `"))))
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

/// The error for a function that is not in the table. It suggests one that differs only in its prefix or in letter case.
pub fn unknown(prefix: Option<&str>, name: &str) -> ElError {
    let error = ElError::new(
        ElErrorKind::UnknownFunction,
        format!("undefined function `{}`", full_name(prefix, name)),
    );
    let mut functions = all().filter(|function| function.prefix != Some(proposal::RENAMED));
    match functions.find(|function| function.name.eq_ignore_ascii_case(name)) {
        Some(similar) => error.with_help(format!("there is `{}`", similar.full_name())),
        None => error,
    }
}

/// The reverse of [`full_name`].
const fn prefix_and_name(full_name: &'static str) -> (Option<&'static str>, &'static str) {
    let mut at = 0;
    while at < full_name.len() {
        if full_name.as_bytes()[at] == b':' {
            let (prefix, rest) = full_name.split_at(at);
            return (Some(prefix), rest.split_at(1).1);
        }
        at += 1;
    }
    (None, full_name)
}

fn full_name(prefix: Option<&str>, name: &str) -> String {
    match prefix {
        Some(prefix) => format!("{prefix}:{name}"),
        None => name.to_owned(),
    }
}

/// The value that a parameter of type `param` receives (commons-el's `Coercions.coerce`).
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

/// Argument `at` as text, which [`call`] has coerced it to.
fn text(args: &[Value], at: usize) -> &str {
    match args.get(at) {
        Some(Value::Text(text)) => text,
        Some(Value::Null | Value::Bool(_) | Value::Long(_) | Value::Double(_) | Value::Map(_))
        | None => "",
    }
}
