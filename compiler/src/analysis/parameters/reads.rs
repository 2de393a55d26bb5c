//! Finds the properties that texts read.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::el::{
    ast::{BinaryOp, Expr, ExprKind, Literal, Part, TextRange, UnaryOp},
    eval, functions,
    types::Type,
};

use crate::{
    analysis::templates::{TemplateUse, TextType},
    source::Span,
};

/// One place where a property is read.
#[derive(Clone, Debug)]
pub(super) struct PropertyRead {
    pub(super) span: Span,
    /// Nothing fails here if the property is absent.
    pub(super) is_optional: bool,
    pub(super) hint: Option<TypeHint>,
    /// The name with dots or hyphens that this one may be a part of, and its place. Rare, and boxed to keep the many reads
    /// of a large workflow small.
    pub(super) meant: Option<Box<(String, Span)>>,
}

/// A [`PropertyRead`] in any text of one form.
struct FormRead {
    range: TextRange,
    is_optional: bool,
    hint: Option<TypeHint>,
    meant: Option<(String, TextRange)>,
}

impl FormRead {
    fn of(&self, template_use: &TemplateUse<'_>) -> PropertyRead {
        let text = &template_use.template.text;
        let span = |range: TextRange| text.span_of(range.start..range.end);
        PropertyRead {
            span: span(self.range),
            is_optional: self.is_optional,
            hint: self.hint,
            meant: self
                .meant
                .as_ref()
                .map(|(name, range)| Box::new((name.clone(), span(*range)))),
        }
    }
}

/// What a use implies about the property's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TypeHint {
    Text,
    /// A whole number or a fraction: arithmetic accepts both.
    Number,
    Integer,
    Boolean,
    Path,
    Uri,
    Date,
}

/// Everything that `uses` read, by property.
///
/// A name with dots or hyphens, which is not a variable, is treated as one property if `is_known` holds for it and the text
/// is substituted. `is_constant` tells the variables of texts of a form that are constants.
pub(super) fn by_property(
    uses: &[TemplateUse<'_>],
    is_known: &impl Fn(&str) -> bool,
    is_constant: &dyn Fn(usize, &str) -> bool,
) -> BTreeMap<String, Vec<PropertyRead>> {
    // A few properties are read in very many places, in a few forms: names are looked up once per form.
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut reads: Vec<Vec<PropertyRead>> = Vec::new();
    let mut of_forms: Vec<Option<Vec<(usize, FormRead)>>> = Vec::new();
    for template_use in uses {
        if of_forms.len() <= template_use.form {
            of_forms.resize_with(template_use.form + 1, || None);
        }
        let of_form = of_forms[template_use.form].get_or_insert_with(|| {
            let mut of_form = Vec::new();
            collect(template_use, is_known, &mut |name, read| {
                if is_constant(template_use.form, &name) {
                    return;
                }
                let place = *places.entry(name).or_insert(reads.len());
                if place == reads.len() {
                    reads.push(Vec::new());
                }
                of_form.push((place, read));
            });
            of_form
        });
        for (place, read) in of_form {
            reads[*place].push(read.of(template_use));
        }
    }
    places
        .into_iter()
        .map(|(name, place)| (name, std::mem::take(&mut reads[place])))
        .collect()
}

/// Calls `found` for every property that texts of the form of `template_use` read.
fn collect(
    template_use: &TemplateUse<'_>,
    is_known: &impl Fn(&str) -> bool,
    found: &mut impl FnMut(String, FormRead),
) {
    let parts = &template_use.template.ast.parts;
    let is_alone = matches!(parts.as_slice(), [Part::Expr(_)]);
    let hint = match template_use.wanted {
        TextType::Boolean if is_alone => Some(TypeHint::Boolean),
        TextType::Integer if is_alone => Some(TypeHint::Integer),
        TextType::Path if is_alone => Some(TypeHint::Path),
        TextType::Uri if is_alone => Some(TypeHint::Uri),
        TextType::Date if is_alone => Some(TypeHint::Date),
        TextType::Path | TextType::Uri if is_beginning(parts) => Some(TypeHint::Path),
        TextType::Boolean
        | TextType::Integer
        | TextType::Path
        | TextType::Uri
        | TextType::Date
        | TextType::Text => None,
    };
    let mut cx = Collector {
        template_use,
        found,
    };
    for (at, expr) in template_use.template.ast.expressions().enumerate() {
        let hint = hint.filter(|_| at == 0);
        if template_use.is_substituted
            && let Some(name) = eval::property_name(expr)
            && (name.contains('.') || is_known(&name))
        {
            cx.read(name, expr, false, hint, None);
            continue;
        }
        cx.expr(expr, false, hint, None);
    }
}

/// Whether an expression is followed by the rest of a path, as in `${root}/logs`.
fn is_beginning(parts: &[Part]) -> bool {
    match parts {
        [Part::Expr(_), Part::Text(rest, _), ..] => rest.starts_with('/'),
        _ => false,
    }
}

struct Collector<'a, 'b, F> {
    template_use: &'b TemplateUse<'a>,
    found: &'b mut F,
}

impl<F: FnMut(String, FormRead)> Collector<'_, '_, F> {
    fn read(
        &mut self,
        name: String,
        expr: &Expr,
        is_optional: bool,
        hint: Option<TypeHint>,
        meant: Option<&(String, TextRange)>,
    ) {
        (self.found)(
            name,
            FormRead {
                range: expr.range,
                is_optional,
                hint,
                meant: meant.cloned(),
            },
        );
    }

    /// `is_lazy`: `expr` may not be evaluated.
    fn expr(
        &mut self,
        expr: &Expr,
        is_lazy: bool,
        hint: Option<TypeHint>,
        meant: Option<&(String, TextRange)>,
    ) {
        match &expr.kind {
            ExprKind::Literal(_) => {}
            ExprKind::Variable(name) => {
                if self.template_use.phase.constant(name).is_none() {
                    self.read(name.clone(), expr, is_lazy, hint, meant);
                }
            }
            ExprKind::Unary { op, operand } => {
                let hint = match op {
                    UnaryOp::Minus => Some(TypeHint::Number),
                    UnaryOp::Not => Some(TypeHint::Boolean),
                    UnaryOp::Empty => None,
                };
                self.expr(operand, is_lazy, hint, None);
            }
            ExprKind::Binary { op, left, right } => {
                self.binary(*op, expr, left, right, is_lazy, meant);
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition, is_lazy, Some(TypeHint::Boolean), None);
                self.expr(then, true, hint, None);
                self.expr(otherwise, true, hint, None);
            }
            ExprKind::Index { base, index } => {
                self.expr(base, is_lazy, None, None);
                self.expr(index, is_lazy, None, None);
            }
            ExprKind::Property { base, .. } => {
                // The expression as a whole is certain to fail and has been reported.
                if eval::property_name(expr).is_none() {
                    self.expr(base, is_lazy, None, None);
                } else if is_lazy {
                    self.expr(base, true, None, None);
                }
            }
            ExprKind::Call {
                prefix, name, args, ..
            } => {
                if matches!(prefix.as_deref(), Some("wf" | "coord" | "bundle"))
                    && name == "conf"
                    && let [argument] = args.as_slice()
                    && let ExprKind::Literal(Literal::Text(property)) = &argument.kind
                {
                    self.read(property.clone(), argument, true, hint, None);
                    return;
                }
                let function = functions::find(prefix.as_deref(), name);
                for (at, argument) in args.iter().enumerate() {
                    let hint = function
                        .and_then(|function| function.params.get(at))
                        .and_then(|param| match param {
                            Type::Long => Some(TypeHint::Integer),
                            Type::Bool => Some(TypeHint::Boolean),
                            Type::Null
                            | Type::Double
                            | Type::Text
                            | Type::NullableText
                            | Type::Map
                            | Type::Object => None,
                        });
                    self.expr(argument, is_lazy, hint, None);
                }
            }
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        expr: &Expr,
        left: &Expr,
        right: &Expr,
        is_lazy: bool,
        meant: Option<&(String, TextRange)>,
    ) {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.expr(left, is_lazy, Some(TypeHint::Boolean), None);
                self.expr(right, true, Some(TypeHint::Boolean), None);
            }
            BinaryOp::Subtract => {
                // The outermost name is the one that was probably meant.
                let whole = eval::property_name(expr).map(|name| (name, expr.range));
                let meant = meant.cloned().or(whole);
                self.expr(left, is_lazy, Some(TypeHint::Number), meant.as_ref());
                self.expr(right, is_lazy, Some(TypeHint::Number), meant.as_ref());
            }
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::Add => {
                self.expr(left, is_lazy, Some(TypeHint::Number), None);
                self.expr(right, is_lazy, Some(TypeHint::Number), None);
            }
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessOrEqual
            | BinaryOp::GreaterOrEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual => {
                self.expr(left, is_lazy, compared_with(right), None);
                self.expr(right, is_lazy, compared_with(left), None);
            }
        }
    }
}

/// What a comparison with `other` implies.
fn compared_with(other: &Expr) -> Option<TypeHint> {
    match &other.kind {
        ExprKind::Literal(Literal::Long(_)) => Some(TypeHint::Integer),
        ExprKind::Literal(Literal::Bool(_)) => Some(TypeHint::Boolean),
        ExprKind::Literal(Literal::Text(text)) if text == "true" || text == "false" => {
            Some(TypeHint::Boolean)
        }
        ExprKind::Literal(Literal::Text(text)) if !text.is_empty() => Some(TypeHint::Text),
        ExprKind::Literal(Literal::Null | Literal::Double(_) | Literal::Text(_))
        | ExprKind::Variable(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. }
        | ExprKind::Index { .. }
        | ExprKind::Property { .. }
        | ExprKind::Call { .. } => None,
    }
}

/// The spans of `reads`, in document order.
pub(super) fn spans(reads: &[PropertyRead]) -> Vec<Span> {
    let spans: BTreeSet<Span> = reads.iter().map(|read| read.span).collect();
    spans.into_iter().collect()
}
