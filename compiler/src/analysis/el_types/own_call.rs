//! Calls of functions of extensions: nothing is known of their values, but their manifests have types.

use hpdlc_core::{
    el::{
        ast::Expr,
        error::ElError,
        types::Type,
        value::{Described, Value},
    },
    extension::{Occurs, ValueKind, ValueType},
};

use super::{CertainFailure, KnownValue, name_of, representatives};
use crate::model::OwnFunction;

/// What is known of the call of a function of the program, whose arguments are certain to be evaluated.
pub(super) fn call(
    function: &OwnFunction,
    args: &[Expr],
    known: &[KnownValue],
) -> Result<KnownValue, CertainFailure> {
    let Some(described) = &function.described else {
        return Ok(KnownValue::Type(Type::Object));
    };
    let arguments = described.arguments.iter().zip(args).zip(known);
    for (at, ((wanted, argument), known)) in arguments.enumerate() {
        let Some(found) = refused(*wanted, known) else {
            continue;
        };
        let problem = format!(
            "expected {}, found {found} as argument {} of `{}`",
            wanted.value.described(),
            at + 1,
            function.full_name()
        );
        return Err(CertainFailure {
            error: Box::new(ElError::coercion(problem).at(argument.range)),
            property: None,
        });
    }
    Ok(KnownValue::Type(type_of(described.result)))
}

/// The value in words, if the function cannot read it.
fn refused(wanted: ValueType, known: &KnownValue) -> Option<String> {
    let is_read = |value: &Value| {
        let text = value.to_text();
        wanted.value.accepts(&text) || (text.is_empty() && wanted.occurs == Occurs::Optional)
    };
    match known {
        KnownValue::Value(value) => (!is_read(value)).then(|| Described(value).to_string()),
        // Representatives of texts do not have every form.
        KnownValue::Type(Type::Text | Type::NullableText | Type::Object) | KnownValue::Date => None,
        KnownValue::Type(known) if representatives(*known).iter().any(is_read) => None,
        KnownValue::Type(Type::Double) => Some("a number with a decimal point".to_owned()),
        KnownValue::Type(known) => Some(name_of(*known).to_owned()),
    }
}

/// The type of what it gives; what is no number or boolean is any value, as the manifest has only the name of its type.
fn type_of(result: ValueType) -> Type {
    match (result.value, result.occurs) {
        (ValueKind::Bool, Occurs::One) => Type::Bool,
        (ValueKind::Int, Occurs::One) => Type::Long,
        (ValueKind::Float, Occurs::One) => Type::Double,
        _ => Type::Object,
    }
}
