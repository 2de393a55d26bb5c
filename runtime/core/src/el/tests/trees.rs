//! Round-trip properties of the parser and printer.

use proptest::prelude::*;

use crate::el::{
    ast::{BinaryOp, Expr, ExprKind, Literal, Part, Template, TextRange, UnaryOp},
    parser::parse_template,
};

const NOWHERE: TextRange = TextRange { start: 0, end: 0 };

fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        range: NOWHERE,
    }
}

fn without_ranges(tree: &Expr) -> Expr {
    let strip = |child: &Expr| Box::new(without_ranges(child));
    expr(match &tree.kind {
        ExprKind::Literal(literal) => ExprKind::Literal(literal.clone()),
        ExprKind::Variable(name) => ExprKind::Variable(name.clone()),
        ExprKind::Unary { op, operand } => ExprKind::Unary {
            op: *op,
            operand: strip(operand),
        },
        ExprKind::Binary { op, left, right } => ExprKind::Binary {
            op: *op,
            left: strip(left),
            right: strip(right),
        },
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => ExprKind::Conditional {
            condition: strip(condition),
            then: strip(then),
            otherwise: strip(otherwise),
        },
        ExprKind::Index { base, index } => ExprKind::Index {
            base: strip(base),
            index: strip(index),
        },
        ExprKind::Property { base, name, .. } => ExprKind::Property {
            base: strip(base),
            name: name.clone(),
            name_range: NOWHERE,
        },
        ExprKind::Call {
            prefix, name, args, ..
        } => ExprKind::Call {
            prefix: prefix.clone(),
            name: name.clone(),
            name_range: NOWHERE,
            args: args.iter().map(without_ranges).collect(),
        },
    })
}

fn literals() -> impl Strategy<Value = Literal> {
    prop_oneof![
        Just(Literal::Null),
        any::<bool>().prop_map(Literal::Bool),
        (0..=i64::MAX).prop_map(Literal::Long),
        (0..20_i64).prop_map(Literal::Long),
        any::<f64>()
            .prop_filter("NaN has no literal", |value| !value.is_nan())
            .prop_map(|value| Literal::Double(value.abs())),
        "[ -~\\n]{0,8}".prop_map(Literal::Text),
        "\\PC{0,4}".prop_map(Literal::Text),
    ]
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_$#][a-zA-Z0-9_$]{0,6}", "[a-f]", "[äß中]{1,2}"].prop_filter(
        "reserved words are no names",
        |name| {
            ![
                "and", "div", "empty", "eq", "false", "ge", "gt", "le", "lt", "mod", "ne", "not",
                "null", "or", "true",
            ]
            .contains(&name.as_str())
        },
    )
}

/// Trees that the parser could have built, with arbitrary names.
fn trees() -> impl Strategy<Value = Expr> {
    let names = names().boxed();
    let functions = (
        proptest::option::of(names.clone()),
        names.clone(),
        0..3_usize,
    )
        .boxed();
    trees_of(names, functions)
}

/// Trees of the given variables and functions; a function is prefix, name, and number of arguments.
pub(super) fn trees_of(
    names: BoxedStrategy<String>,
    functions: BoxedStrategy<(Option<String>, String, usize)>,
) -> impl Strategy<Value = Expr> {
    let leaves = prop_oneof![
        literals().prop_map(ExprKind::Literal),
        names.clone().prop_map(ExprKind::Variable),
    ]
    .prop_map(expr);
    leaves.prop_recursive(6, 40, 3, move |inner| {
        let names = names.clone();
        let boxed = inner.clone().prop_map(Box::new);
        let unary = prop_oneof![
            Just(UnaryOp::Minus),
            Just(UnaryOp::Not),
            Just(UnaryOp::Empty)
        ];
        prop_oneof![
            (unary, boxed.clone()).prop_map(|(op, operand)| ExprKind::Unary { op, operand }),
            (
                proptest::sample::select(BinaryOp::ALL.to_vec()),
                boxed.clone(),
                boxed.clone()
            )
                .prop_map(|(op, left, right)| ExprKind::Binary { op, left, right }),
            (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(
                |(condition, then, otherwise)| ExprKind::Conditional {
                    condition,
                    then,
                    otherwise
                }
            ),
            (boxed.clone(), boxed.clone())
                .prop_map(|(base, index)| ExprKind::Index { base, index }),
            (boxed, names).prop_map(|(base, name)| ExprKind::Property {
                base,
                name,
                name_range: NOWHERE
            }),
            (functions.clone(), proptest::collection::vec(inner, 3)).prop_map(
                |((prefix, name, n_args), mut args)| {
                    args.truncate(n_args);
                    ExprKind::Call {
                        prefix,
                        name,
                        name_range: NOWHERE,
                        args,
                    }
                }
            ),
        ]
        .prop_map(expr)
    })
}

fn stripped(template: &Template) -> Vec<Part> {
    template
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(text, _) => Part::Text(text.clone(), NOWHERE),
            Part::Expr(tree) => Part::Expr(without_ranges(tree)),
        })
        .collect()
}

fn check_ranges(tree: &Expr, text: &str) {
    assert!(text.get(tree.range.start..tree.range.end).is_some());
    if let ExprKind::Variable(name) = &tree.kind {
        assert_eq!(&text[tree.range.start..tree.range.end], name);
    }
    if let ExprKind::Property {
        name, name_range, ..
    } = &tree.kind
    {
        assert_eq!(&text[name_range.start..name_range.end], name);
    }
    for child in tree.children() {
        check_ranges(child, text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_parses_or_is_refused(text in "\\PC*") {
        if let Err(error) = parse_template(&text) {
            prop_assert!(text.get(error.range.start..error.range.end).is_some());
        }
    }

    #[test]
    fn text_like_expressions_parses_or_is_refused(
        text in "(\\$\\{)?([a-c1.e'\"\\\\+*/%<>=!&|?:(),{}$ -]|\\[|\\]|and|empty|wf:|null|\\$\\{){0,24}\\}?"
    ) {
        match parse_template(&text) {
            Err(error) => {
                prop_assert!(text.get(error.range.start..error.range.end).is_some());
            }
            Ok(parsed) => {
                let printed = parsed.to_string();
                let again = parse_template(&printed).expect("what is printed parses");
                prop_assert_eq!(stripped(&again), stripped(&parsed), "{}", printed);
                for tree in parsed.expressions() {
                    check_ranges(tree, &text);
                }
            }
        }
    }

    #[test]
    fn printed_trees_parse_to_themselves(tree in trees(), text in "[a-z ]{0,3}") {
        let template = Template {
            parts: vec![Part::Expr(tree.clone())],
        };
        let printed = format!("{text}{template}");
        let parsed = parse_template(&printed).expect("what is printed parses");
        let again = parsed.expressions().next().expect("there is one");
        prop_assert_eq!(without_ranges(again), tree, "{}", printed);
        check_ranges(again, &printed);
    }
}

#[test]
fn openings_in_text_are_printed_as_text() {
    let template = Template {
        parts: vec![Part::Text("a${b}".to_owned(), NOWHERE)],
    };
    assert_eq!(template.to_string(), "a${'${'}b}");
}

#[test]
fn trees_are_printed_with_few_parentheses() {
    for text in [
        "${a + b * c}",
        "${(a + b) * c}",
        "${a - (b - c)}",
        "${a - b - c}",
        "${!(a && b) || empty c}",
        "${a ? b : c ? d : e}",
        "${(a ? b : c) ? d : e}",
        "${a ? (b) : trim(c)}",
        "${a ? b : wf:conf('c')}",
        "${wf:actionData('x')['y'].z}",
        "${(-a).b}",
        "${(1).b}",
        "text ${1.0E10} ${'it\\'s \\\\'}",
    ] {
        let parsed = parse_template(text).expect("it is of the language");
        assert_eq!(parsed.to_string(), text);
    }
}
