//! Expressions that fail whatever properties the job is given: `1 % 0`, `'a' + 1`, `${my.prop}`.
//!
//! Only subexpressions that are certain to be evaluated are checked: not the right side of `and` and `or`, nor the branches
//! of `? :`. The value of a variable is unknown, its type is known: an operation is certain to fail if it fails for a
//! representative of every kind of value that its operands can have.

use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};

use hpdlc_core::{
    coordinator::{check_constants, returns_date},
    el::{
        ast::{BinaryOp, Expr, ExprKind, Literal, TextRange},
        error::{ElError, ElErrorKind},
        eval,
        functions::{self, Function, Needs},
        inference, ops, regex,
        scope::NoJob,
        types::Type,
        value::Value,
    },
    time::ProcessingZone,
};

use crate::{
    analysis::{
        templates::{TemplatePhase, TemplateUse},
        text_passes::TextPass,
    },
    diagnostics::{Code, Sink},
    model::OwnFunction,
};

mod failing_expression;
mod own_call;

use self::failing_expression::FailingExpression;

pub static CODES: &[&Code] = &[&failing_expression::CODE];

/// Reports the first certain failure of each expression.
pub(crate) struct ElTypes<'a> {
    /// The function that reads a property of any name, if a text may call it.
    pub(crate) conf: &'a dyn Fn(&TemplateUse<'_>) -> Option<&'static str>,
    /// Those of the program that can be called.
    pub(crate) functions: &'a [OwnFunction],
    /// The processing time zone, if the site's settings are known.
    pub(crate) zone: Option<ProcessingZone>,
}

impl TextPass for ElTypes<'_> {
    fn check(&mut self, template_use: &TemplateUse<'_>, sink: &mut Sink) {
        let text = &template_use.template.text;
        for expr in template_use.template.ast.expressions() {
            // There, `${my.prop}` is a property and not an expression.
            if template_use.is_substituted && eval::property_name(expr).is_some() {
                continue;
            }
            let cx = Context {
                phase: template_use.phase,
                functions: self.functions,
                zone: self.zone,
            };
            if let Err(failure) = evaluate(expr, cx) {
                let range = failure.error.range.unwrap_or(expr.range);
                sink.emit(FailingExpression {
                    place: text.span_of(range.start..range.end),
                    message: failure.error.message,
                    help: failure.error.help,
                    property: failure
                        .property
                        .map(|(name, range)| (name, text.span_of(range.start..range.end))),
                    conf: (self.conf)(template_use),
                });
            }
        }
    }
}

/// What an expression can name.
#[derive(Clone, Copy, Debug)]
struct Context<'a> {
    phase: TemplatePhase,
    functions: &'a [OwnFunction],
    zone: Option<ProcessingZone>,
}

/// An expression that is certain to fail.
struct CertainFailure {
    error: Box<ElError>,
    /// The property that was probably meant by the whole expression, and its place.
    property: Option<(String, TextRange)>,
}

/// What is known of an expression's value.
#[derive(Clone, Debug)]
enum KnownValue {
    Value(Value),
    Type(Type),
    /// A text that is a date, and so never a number.
    Date,
}

/// What is known of `expr`, which is certain to be evaluated.
fn evaluate(expr: &Expr, cx: Context<'_>) -> Result<KnownValue, CertainFailure> {
    let fail = |error: ElError| CertainFailure {
        error: Box::new(error.at(expr.range)),
        property: None,
    };
    match &expr.kind {
        ExprKind::Literal(literal) => Ok(KnownValue::Value(eval::literal_value(literal))),
        ExprKind::Variable(name) => Ok(match cx.phase.constant(name) {
            Some(constant) => KnownValue::Value(constant),
            None => KnownValue::Type(Type::Text),
        }),
        ExprKind::Unary { op, operand } => {
            let operand = evaluate(operand, cx)?;
            apply(expr, &[&operand], |values| ops::unary(*op, values[0])).map_err(fail)
        }
        ExprKind::Binary { op, left, right } => {
            let left_expr = left;
            let left = evaluate(left, cx)?;
            if let BinaryOp::And | BinaryOp::Or = op {
                return logical(*op, &left, right, expr, cx);
            }
            let is_date = matches!(left, KnownValue::Date);
            let right_value = evaluate(right, cx)?;
            apply(expr, &[&left, &right_value], |values| {
                ops::binary(*op, values[0], values[1])
            })
            .map_err(|error| {
                match is_date.then(|| moved_date(*op, left_expr, right)) {
                    Some(Some(help)) => fail(error.with_help(help)),
                    Some(None) | None => fail(error),
                }
            })
        }
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            let condition = evaluate(condition, cx)?;
            match &condition {
                KnownValue::Value(value) => match value.to_bool().map_err(fail)? {
                    true => evaluate(then, cx),
                    false => evaluate(otherwise, cx),
                },
                KnownValue::Type(_) | KnownValue::Date => {
                    apply(expr, &[&condition], |values| {
                        values[0].to_bool().map(Value::Bool)
                    })
                    .map_err(fail)?;
                    Ok(KnownValue::Type(inference::infer(expr)))
                }
            }
        }
        ExprKind::Index { base, index } => {
            let base = evaluate(base, cx)?;
            let index = evaluate(index, cx)?;
            apply(expr, &[&base, &index], |values| {
                ops::index(values[0], values[1])
            })
            .map_err(fail)
        }
        ExprKind::Property { base, name, .. } => {
            let known = evaluate(base, cx).map_err(|mut failure| {
                // The longest name is the one that was probably meant.
                if let (Some(_), Some(name)) = (&failure.property, eval::property_name(expr)) {
                    failure.property = Some((name, expr.range));
                }
                failure
            })?;
            apply(expr, &[&known], |values| ops::property(values[0], name)).map_err(|error| {
                CertainFailure {
                    error: Box::new(error.at(expr.range)),
                    property: eval::property_name(expr).map(|name| (name, expr.range)),
                }
            })
        }
        ExprKind::Call {
            prefix, name, args, ..
        } => {
            let known = args
                .iter()
                .map(|arg| evaluate(arg, cx))
                .collect::<Result<Vec<KnownValue>, CertainFailure>>()?;
            let found = functions::find(prefix.as_deref(), name);
            // A wrong number of arguments has been reported.
            if let Some(function) = found.filter(|it| it.params.len() == args.len()) {
                return call(function, args, known, expr, cx.zone);
            }
            let mut own = cx.functions.iter();
            let own = own.find(|it| prefix.as_ref() == Some(&it.prefix) && it.name == *name);
            match own.filter(|it| found.is_none() && it.n_arguments == args.len()) {
                Some(function) => own_call::call(function, args, &known),
                None => Ok(KnownValue::Type(inference::infer(expr))),
            }
        }
    }
}

/// How to write the date that `date + days` or `date - days` means, in a coordinator.
fn moved_date(op: BinaryOp, date: &Expr, days: &Expr) -> Option<String> {
    let sign = match op {
        BinaryOp::Add => "",
        BinaryOp::Subtract => "-",
        _ => return None,
    };
    let ExprKind::Literal(Literal::Long(days)) = &days.kind else {
        return None;
    };
    let ExprKind::Call {
        prefix: Some(prefix),
        name,
        args,
        ..
    } = &date.kind
    else {
        return None;
    };
    if prefix != "coord" {
        return None;
    }
    Some(match (name.as_str(), args.as_slice()) {
        (_, []) => format!("write `coord:dateOffset(coord:{name}(), {sign}{days}, 'DAY')`"),
        ("formatTime", _) => format!(
            "move the date before it is formatted: `coord:formatTime(coord:dateOffset(…, {sign}{days}, 'DAY'), …)`"
        ),
        (_, _) => format!("write `coord:dateOffset(…, {sign}{days}, 'DAY')`"),
    })
}

/// Whether texts of a date pattern are never numbers, such as those of `yyyy-MM-dd`.
fn has_separators(pattern: &Expr) -> bool {
    pattern.as_text().is_some_and(|pattern| {
        let mut fields = pattern.split(['-', '/', ':']).skip(1);
        !pattern.starts_with(['-', '/', ':'])
            && fields.any(|field| field.starts_with(|c: char| c.is_ascii_alphabetic()))
    })
}

/// What is known of the call of a function whose arguments are certain to be evaluated.
fn call(
    function: &Function,
    args: &[Expr],
    known: Vec<KnownValue>,
    expr: &Expr,
    zone: Option<ProcessingZone>,
) -> Result<KnownValue, CertainFailure> {
    let failure = |error: ElError, range: TextRange| CertainFailure {
        error: Box::new(error.at(range)),
        property: None,
    };
    for (at, (argument, known)) in args.iter().zip(&known).enumerate() {
        let coerce = |values: &[&Value]| functions::argument(function, at, values[0].clone());
        apply(argument, &[known], coerce).map_err(|error| failure(error, argument.range))?;
        if function.pattern_param() == Some(at)
            && let KnownValue::Value(pattern) = known
        {
            // Even if the text is unknown: the pattern is compiled before the text is read.
            regex::compiled(&pattern.to_text()).map_err(|problem| {
                failure(ElError::function(function.name, problem), argument.range)
            })?;
        }
    }
    if function.prefix == Some("coord") {
        let texts: Vec<Option<Cow<'_, str>>> = known.iter().map(constant_text).collect();
        let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        check_constants(function.name, &texts, zone)
            .map_err(|refused| failure(refused.error, args[refused.at].range))?;
    }
    let is_date = match function.prefix {
        Some("coord") => {
            returns_date(function.name)
                || function.name == "formatTime" && args.get(1).is_some_and(has_separators)
        }
        Some(_) => false,
        None => function.name == "timestamp",
    };
    let unknown = Ok(if is_date {
        KnownValue::Date
    } else {
        KnownValue::Type(inference::infer(expr))
    });
    let values: Option<Vec<Value>> = known
        .into_iter()
        .map(|known| match known {
            KnownValue::Value(value) => Some(value),
            KnownValue::Type(_) | KnownValue::Date => None,
        })
        .collect();
    let Some(values) = values else {
        return unknown;
    };
    match function.needs {
        Needs::Nothing | Needs::Job | Needs::Nodes | Needs::Clock | Needs::Files => {}
        Needs::Cluster | Needs::Coordinator => return unknown,
    }
    let scope = NoJob::new(&BTreeMap::new(), Default::default());
    match functions::call(function, &scope, values) {
        Ok(value) if function.needs == Needs::Nothing => Ok(KnownValue::Value(value)),
        Ok(_) => unknown,
        // The error shows that the arguments were accepted.
        Err(error) if error.kind == ElErrorKind::NeedsJob => unknown,
        Err(error) => Err(failure(error, expr.range)),
    }
}

/// The text that an argument is in every job.
fn constant_text(known: &KnownValue) -> Option<Cow<'_, str>> {
    match known {
        KnownValue::Value(value) => Some(value.to_text()),
        KnownValue::Type(_) | KnownValue::Date => None,
    }
}

/// `and` and `or`, whose right side may never be evaluated.
fn logical(
    op: BinaryOp,
    left: &KnownValue,
    right: &Expr,
    expr: &Expr,
    cx: Context<'_>,
) -> Result<KnownValue, CertainFailure> {
    let fail = |error: ElError| CertainFailure {
        error: Box::new(error.at(expr.range)),
        property: None,
    };
    let to_bool = |values: &[&Value]| values[0].to_bool().map(Value::Bool);
    let left = apply(expr, &[left], to_bool).map_err(fail)?;
    let deciding = Value::Bool(op == BinaryOp::Or);
    match left {
        KnownValue::Value(value) if value == deciding => Ok(KnownValue::Value(value)),
        KnownValue::Value(_) => {
            let right = evaluate(right, cx)?;
            apply(expr, &[&right], to_bool).map_err(fail)
        }
        KnownValue::Type(_) | KnownValue::Date => Ok(KnownValue::Type(Type::Bool)),
    }
}

/// Applies an operation to what is known of its operands.
///
/// # Errors
///
/// The error of the operation, if it fails for every combination of representatives.
fn apply(
    expr: &Expr,
    operands: &[&KnownValue],
    operation: impl Fn(&[&Value]) -> Result<Value, ElError>,
) -> Result<KnownValue, ElError> {
    let is_constant = operands
        .iter()
        .all(|operand| matches!(operand, KnownValue::Value(_)));
    let candidates: Vec<&[Value]> = operands
        .iter()
        .map(|operand| match operand {
            KnownValue::Value(value) => std::slice::from_ref(value),
            KnownValue::Type(known) => representatives(*known),
            KnownValue::Date => std::slice::from_ref(&*A_DATE),
        })
        .collect();
    let mut first_error = None;
    for combination in combinations(&candidates) {
        match operation(&combination) {
            Ok(value) if is_constant => return Ok(KnownValue::Value(value)),
            Ok(_) => return Ok(KnownValue::Type(inference::infer(expr))),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    match first_error {
        // Representative values must not be shown.
        Some(error) if !is_constant => Err(ElError {
            message: described(&error.kind, operands),
            ..error
        }),
        Some(error) => Err(error),
        None => Ok(KnownValue::Type(inference::infer(expr))),
    }
}

fn described(kind: &ElErrorKind, operands: &[&KnownValue]) -> String {
    let kinds: Vec<&str> = operands
        .iter()
        .map(|operand| match operand {
            KnownValue::Value(value) => kind_of(value),
            KnownValue::Type(known) => name_of(*known),
            KnownValue::Date => "a date",
        })
        .collect();
    let kinds = kinds.join(" and ");
    match kind {
        ElErrorKind::Arithmetic => format!("this cannot be computed with {kinds}"),
        ElErrorKind::UndefinedVariable { .. }
        | ElErrorKind::UnknownFunction
        | ElErrorKind::Coercion
        | ElErrorKind::Function
        | ElErrorKind::TooLong
        | ElErrorKind::Io
        | ElErrorKind::Own(_)
        | ElErrorKind::NeedsJob => format!("this operation does not apply to {kinds}"),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Long(_) | Value::Double(_) => "a number",
        Value::Text(_) => "a text",
        Value::Map(_) => "a map",
    }
}

fn name_of(known: Type) -> &'static str {
    match known {
        Type::Null => "null",
        Type::Bool => "a boolean",
        Type::Long | Type::Double => "a number",
        Type::Text | Type::NullableText => "a text",
        Type::Map => "a map",
        Type::Object => "any value",
    }
}

static A_DATE: LazyLock<Value> = LazyLock::new(|| Value::Text("2026-01-01T00:00Z".to_owned()));

/// Values of a type that together cover every case of the operators' rules.
fn representatives(known: Type) -> &'static [Value] {
    static NULL: [Value; 1] = [Value::Null];
    static BOOL: [Value; 2] = [Value::Bool(true), Value::Bool(false)];
    static LONG: [Value; 2] = [Value::Long(1), Value::Long(0)];
    static DOUBLE: [Value; 2] = [Value::Double(1.5), Value::Double(0.0)];
    static MAP: [Value; 1] = [Value::Map(BTreeMap::new())];
    static NULLABLE_TEXT: LazyLock<Vec<Value>> = LazyLock::new(|| {
        let texts = ["1", "1.5", "", "a", "true"].map(|text| Value::Text(text.to_owned()));
        [Value::Null].into_iter().chain(texts).collect()
    });
    static OBJECT: LazyLock<Vec<Value>> = LazyLock::new(|| {
        let others = [
            Value::Bool(true),
            Value::Map(BTreeMap::new()),
            Value::Long(1),
            Value::Long(0),
            Value::Double(1.5),
        ];
        NULLABLE_TEXT.iter().cloned().chain(others).collect()
    });
    match known {
        Type::Null => &NULL,
        Type::Bool => &BOOL,
        Type::Long => &LONG,
        Type::Double => &DOUBLE,
        Type::Text => &NULLABLE_TEXT[1..],
        Type::NullableText => &NULLABLE_TEXT,
        Type::Map => &MAP,
        Type::Object => &OBJECT,
    }
}

/// Every combination of one candidate per operand, lazily: the first nearly always suffices.
fn combinations<'v>(candidates: &[&'v [Value]]) -> impl Iterator<Item = Vec<&'v Value>> {
    let n_combinations: usize = candidates.iter().map(|values| values.len()).product();
    (0..n_combinations).map(|number| {
        let mut rest = number;
        let mut chosen: Vec<&Value> = Vec::with_capacity(candidates.len());
        for values in candidates.iter().rev() {
            chosen.push(&values[rest % values.len()]);
            rest /= values.len();
        }
        chosen.reverse();
        chosen
    })
}

#[cfg(test)]
mod tests;
