//! Inferred types and folded values agree with evaluation.

use proptest::prelude::*;

use super::{TestJob, trees::trees_of};
use crate::el::{
    ast::Expr,
    eval::{evaluate_expr, evaluate_template},
    functions,
    inference::{fold, infer},
    parser::parse_template,
    types::Type,
    value::Value,
};

fn parsed(expression: &str) -> Expr {
    let template = parse_template(&format!("${{{expression}}}")).expect("it is of the language");
    template
        .expressions()
        .next()
        .cloned()
        .expect("there is one")
}

#[test]
fn constants_fold() {
    for (expression, expected) in [
        ("10 * GB", Some(Value::Long(10_737_418_240))),
        ("10 / 4", Some(Value::Double(2.5))),
        ("concat('a', 1)", Some("a1".into())),
        ("'a' == 'a'", Some(true.into())),
        ("true || x", Some(true.into())),
        ("empty null", Some(true.into())),
        ("null", Some(Value::Null)),
        ("replaceAll('a.b', '[.]', '/')", Some("a/b".into())),
        ("x", None),
        ("1 + x", None),
        ("1 % 0", None),
        ("'a' + 1", None),
        ("timestamp()", None),
        ("true ? 1 : timestamp()", None),
        ("wf:id()", None),
        ("fs:exists('/x')", None),
        ("nope()", None),
        ("concat('a')", None),
    ] {
        assert_eq!(fold(&parsed(expression)), expected, "{expression}");
    }
}

#[test]
fn types_are_inferred_where_certain() {
    for (expression, expected) in [
        ("null", Type::Null),
        ("true", Type::Bool),
        ("1", Type::Long),
        ("1.0", Type::Double),
        ("'a'", Type::Text),
        ("x", Type::Text),
        ("KB", Type::Long),
        ("RECORDS", Type::Text),
        ("10 * GB", Type::Long),
        ("1 + 1.0", Type::Double),
        ("x + 1.0", Type::Double),
        ("x + 1", Type::Object),
        ("null + 1", Type::Long),
        ("1 / 2", Type::Double),
        ("x / y", Type::Double),
        ("wf:conf('a') / wf:conf('b')", Type::Object),
        ("null / null", Type::Long),
        ("x % 2", Type::Object),
        ("-x", Type::Object),
        ("-1", Type::Long),
        ("-null", Type::Long),
        ("x == 1", Type::Bool),
        ("x && y", Type::Bool),
        ("!x", Type::Bool),
        ("empty x", Type::Bool),
        ("x ? 1 : 2", Type::Long),
        ("x ? 'a' : null", Type::NullableText),
        ("x ? 'a' : 1", Type::Object),
        ("x ? wf:conf('a') : y", Type::NullableText),
        ("wf:conf('a')", Type::NullableText),
        ("wf:actionData('a')", Type::Map),
        ("wf:actionData('a')['b']", Type::NullableText),
        ("wf:actionData('a').b", Type::NullableText),
        ("hadoop:counters('a')['b']['c']", Type::Object),
        ("null.a", Type::Null),
        ("wf:run()", Type::Long),
        ("fs:fileSize(x)", Type::Long),
        ("firstNotNull(wf:conf('a'), 'b')", Type::Text),
        (
            "firstNotNull(wf:conf('a'), wf:conf('b'))",
            Type::NullableText,
        ),
        ("firstNotNull(1, 'b')", Type::Long),
        ("firstNotNull(null, 'b')", Type::Text),
        ("nope()", Type::Object),
    ] {
        assert_eq!(infer(&parsed(expression)), expected, "{expression}");
    }
}

/// Trees that mostly evaluate: of variables and functions that exist.
fn sensible_trees() -> impl Strategy<Value = Expr> {
    let names = proptest::sample::select(vec!["a", "b", "name", "empty_text", "half", "yes", "KB"]);
    let functions: Vec<_> = functions::all()
        .filter(|function| function.prefix != Some(functions::proposal::RENAMED))
        .map(|function| {
            (
                function.prefix.map(str::to_owned),
                function.name.to_owned(),
                function.params.len(),
            )
        })
        .collect();
    trees_of(
        names.prop_map(str::to_owned).boxed(),
        proptest::sample::select(functions).boxed(),
    )
}

/// NaN is not equal to itself, so values are compared by what they print.
fn same(left: &Value, right: &Value) -> bool {
    format!("{left:?}") == format!("{right:?}")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn folding_and_inference_agree_with_evaluation(tree in sensible_trees()) {
        let evaluated = evaluate_expr(&tree, &TestJob::new());
        if let Some(folded) = fold(&tree) {
            let value = evaluated.as_ref().expect("what folds evaluates");
            prop_assert!(same(&folded, value), "{} is {:?}, not {:?}", tree, value, folded);
        }
        if let Ok(value) = evaluated {
            prop_assert!(infer(&tree).admits(&value), "{} is {:?}", tree, value);
            let template = parse_template(&format!("<${{{tree}}}>")).expect("what is printed parses");
            let text = evaluate_template(&template, &TestJob::new());
            prop_assert_eq!(text, Ok(format!("<{}>", value.to_text())));
        }
    }
}
