//! The syntax tree of a template: text with `${...}` expressions in it.
//!
//! The parser keeps the height of a tree below [`MAX_HEIGHT`], so that walking, cloning, and dropping it by plain recursion is
//! safe. Code that builds trees by hand must respect it too.

/// The maximum height of a tree that the parser builds, in nodes from the root to the deepest leaf.
///
/// A chain such as `1 + 1 + 1` is as high as it has operands.
pub const MAX_HEIGHT: usize = 500;

/// A half-open range of byte offsets into the decoded text of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextRange {
    pub start: usize,
    pub end: usize,
}

impl TextRange {
    pub fn new(start: usize, end: usize) -> TextRange {
        TextRange { start, end }
    }
}

/// A whole value as the user wrote it, such as `${nameNode}/user/${wf:user()}`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Template {
    /// In order; two texts are never adjacent, and no text is empty.
    pub parts: Vec<Part>,
}

impl Template {
    /// The text of a template without any expression.
    pub fn as_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text, _)] => Some(text),
            _ => None,
        }
    }

    /// The expressions, in order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(..) => None,
            Part::Expr(expr) => Some(expr),
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text outside of `${...}`, copied verbatim.
    Text(String, TextRange),
    /// The expression between `${` and `}`.
    Expr(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    /// Without parentheses around the whole expression.
    pub range: TextRange,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Literal(Literal),
    /// A property of the job, or a constant such as `KB`.
    Variable(String),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `condition ? then : otherwise`
    Conditional {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `base[index]`
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    /// `base.name`
    Property {
        base: Box<Expr>,
        name: String,
        name_range: TextRange,
    },
    /// `prefix:name(args)`
    Call {
        prefix: Option<String>,
        name: String,
        /// Including the prefix.
        name_range: TextRange,
        args: Vec<Expr>,
    },
}

impl Expr {
    /// The text, if the expression is a literal text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Literal(Literal::Text(text)) => Some(text),
            ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Index { .. }
            | ExprKind::Property { .. }
            | ExprKind::Call { .. } => None,
        }
    }

    /// The direct subexpressions, left to right.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) => Vec::new(),
            ExprKind::Unary { operand, .. } => vec![operand],
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => vec![condition, then, otherwise],
            ExprKind::Index { base, index } => vec![base, index],
            ExprKind::Property { base, .. } => vec![base],
            ExprKind::Call { args, .. } => args.iter().collect(),
        }
    }

    /// As [`Expr::children`], to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) => Vec::new(),
            ExprKind::Unary { operand, .. } => vec![operand],
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => vec![condition, then, otherwise],
            ExprKind::Index { base, index } => vec![base, index],
            ExprKind::Property { base, .. } => vec![base],
            ExprKind::Call { args, .. } => args.iter_mut().collect(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Null,
    Bool(bool),
    /// Never negative if it comes from the parser: the minus sign is an operator.
    Long(i64),
    /// Never negative and never NaN if it comes from the parser; `1e999` is infinite.
    Double(f64),
    Text(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Minus,
    Not,
    Empty,
}

impl UnaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::Empty => "empty",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Multiply,
    Divide,
    Modulo,
    Add,
    Subtract,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl BinaryOp {
    pub const ALL: [BinaryOp; 13] = [
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Modulo,
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Less,
        BinaryOp::Greater,
        BinaryOp::LessOrEqual,
        BinaryOp::GreaterOrEqual,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::And,
        BinaryOp::Or,
    ];

    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Less => "<",
            BinaryOp::Greater => ">",
            BinaryOp::LessOrEqual => "<=",
            BinaryOp::GreaterOrEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// The binding strength of the operator; all operators of one precedence are left-associative.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Equal | BinaryOp::NotEqual => 3,
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessOrEqual
            | BinaryOp::GreaterOrEqual => 4,
            BinaryOp::Add | BinaryOp::Subtract => 5,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => 6,
        }
    }
}
