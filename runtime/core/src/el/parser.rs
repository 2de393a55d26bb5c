//! Parses text to a tree, following commons-el's grammar of JSP 2.0.
//!
//! Nesting and the height of the tree are bounded, so neither the parser nor any walk over its result can run out of stack.

use crate::{
    el::{
        ast::{BinaryOp, Expr, ExprKind, Literal, MAX_HEIGHT, Part, Template, TextRange, UnaryOp},
        lexer::{self, Token, TokenKind},
        parse_error::ParseError,
    },
    java,
};

/// The maximum nesting of parentheses, brackets, arguments, and conditionals.
pub const MAX_NESTING: usize = 100;

/// Parses a value with any number of `${...}` in it.
///
/// Outside of them everything is text, including `#{`, a lone `$`, and a backslash before `${`.
///
/// # Errors
///
/// The first mistake in the text.
pub fn parse_template(text: &str) -> Result<Template, ParseError> {
    let mut parts = Vec::new();
    let mut position = 0;
    while let Some(offset) = text[position..].find("${") {
        let start = position + offset;
        if start > position {
            let range = TextRange::new(position, start);
            parts.push(Part::Text(text[position..start].to_owned(), range));
        }
        let (expr, end) = Parser::new(text, start)?.template_expression()?;
        parts.push(Part::Expr(expr));
        position = end;
    }
    if position < text.len() {
        let range = TextRange::new(position, text.len());
        parts.push(Part::Text(text[position..].to_owned(), range));
    }
    // Most templates are one part, and documents contain many thousands.
    parts.shrink_to_fit();
    Ok(Template { parts })
}

/// An expression with parser data that the tree does not keep.
struct Parsed {
    expr: Expr,
    /// Including the parentheses around it.
    outer: TextRange,
    height: usize,
}

struct Parser<'a> {
    text: &'a str,
    /// The position of `${`.
    start: usize,
    token: Token,
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, start: usize) -> Result<Parser<'a>, ParseError> {
        Ok(Parser {
            text,
            start,
            token: lexer::next_token(text, start + 2)?,
            nesting: 0,
        })
    }

    /// The expression between `${` and `}`, and where the text continues.
    fn template_expression(mut self) -> Result<(Expr, usize), ParseError> {
        let parsed = self.expression()?;
        match self.token.kind {
            // The rest is text, in which the lexer must not scan for tokens.
            TokenKind::RightBrace => Ok((parsed.expr, self.token.range.end)),
            _ => Err(self.expected("`}` or an operator", Some(&parsed))),
        }
    }

    fn bump(&mut self) -> Result<Token, ParseError> {
        let next = lexer::next_token(self.text, self.token.range.end)?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.range.start..token.range.end]
    }

    /// An expression of any kind.
    fn expression(&mut self) -> Result<Parsed, ParseError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(ParseError::new(
                format!("expected at most {MAX_NESTING} levels of nesting, found more"),
                self.token.range,
            ));
        }
        let condition = self.binary()?;
        let parsed = if self.token.kind == TokenKind::Question {
            self.conditional(condition)?
        } else {
            condition
        };
        self.nesting -= 1;
        Ok(parsed)
    }

    /// The rest of `condition ? then : otherwise` after the condition.
    fn conditional(&mut self, condition: Parsed) -> Result<Parsed, ParseError> {
        self.bump()?;
        let then = self.expression()?;
        if self.token.kind != TokenKind::Colon {
            return Err(self.no_colon(&then));
        }
        self.bump()?;
        let otherwise = self.expression()?;
        let range = TextRange::new(condition.outer.start, otherwise.outer.end);
        let height = condition.height.max(then.height).max(otherwise.height);
        let kind = ExprKind::Conditional {
            condition: Box::new(condition.expr),
            then: Box::new(then.expr),
            otherwise: Box::new(otherwise.expr),
        };
        node(kind, range, height)
    }

    fn no_colon(&self, then: &Parsed) -> ParseError {
        let error = self.expected("`:`", None);
        match last_call(&then.expr) {
            Some((prefix, name)) => error.with_help(format!(
                "`{prefix}:{name}(...)` was read as a function; \
                 in a conditional, write `({prefix}) : {name}(...)`"
            )),
            None => error,
        }
    }

    /// Operands joined by operators of any precedence.
    ///
    /// One loop with explicit stacks, instead of a function for each precedence, uses little call stack.
    fn binary(&mut self) -> Result<Parsed, ParseError> {
        let mut pending: Vec<(Parsed, BinaryOp)> = Vec::new();
        let mut current = self.unary()?;
        loop {
            let op = self.binary_op();
            let precedence = op.map_or(0, BinaryOp::precedence);
            while let Some((left, pending_op)) =
                pending.pop_if(|(_, op)| op.precedence() >= precedence)
            {
                current = combine(left, pending_op, current)?;
            }
            let Some(op) = op else {
                return Ok(current);
            };
            self.bump()?;
            let right = self.unary()?;
            pending.push((std::mem::replace(&mut current, right), op));
        }
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        match self.token.kind {
            TokenKind::Binary(op) => Some(op),
            TokenKind::Minus => Some(BinaryOp::Subtract),
            _ => None,
        }
    }

    fn unary(&mut self) -> Result<Parsed, ParseError> {
        let mut operators = Vec::new();
        loop {
            let op = match self.token.kind {
                TokenKind::Minus => UnaryOp::Minus,
                TokenKind::Unary(op) => op,
                _ => break,
            };
            operators.push((op, self.bump()?.range.start));
        }
        let mut operand = self.value()?;
        while let Some((op, start)) = operators.pop() {
            let range = TextRange::new(start, operand.outer.end);
            let kind = ExprKind::Unary {
                op,
                operand: Box::new(operand.expr),
            };
            operand = node(kind, range, operand.height)?;
        }
        Ok(operand)
    }

    /// A value and the `.name` and `[index]` after it.
    fn value(&mut self) -> Result<Parsed, ParseError> {
        let mut base = self.value_prefix()?;
        loop {
            base = match self.token.kind {
                TokenKind::Dot => self.property(base)?,
                TokenKind::LeftBracket => self.index(base)?,
                TokenKind::LeftParen => {
                    return Err(ParseError::new(
                        "method calls are not part of the expression language",
                        self.token.range,
                    )
                    .with_help("functions are written `name(...)` or `prefix:name(...)`"));
                }
                _ => return Ok(base),
            };
        }
    }

    fn property(&mut self, base: Parsed) -> Result<Parsed, ParseError> {
        self.bump()?;
        let name = self.token;
        if name.kind != TokenKind::Identifier {
            let error = self.expected("a name after `.`", None);
            let word = self.text_of(name);
            return Err(
                if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
                    error.with_help(format!("`{word}` is reserved; write `['{word}']`"))
                } else {
                    error
                },
            );
        }
        self.bump()?;
        let range = TextRange::new(base.outer.start, name.range.end);
        let kind = ExprKind::Property {
            base: Box::new(base.expr),
            name: self.text_of(name).to_owned(),
            name_range: name.range,
        };
        node(kind, range, base.height)
    }

    fn index(&mut self, base: Parsed) -> Result<Parsed, ParseError> {
        self.bump()?;
        let index = self.expression()?;
        let end = self.close(TokenKind::RightBracket, "`]`", &index)?;
        let range = TextRange::new(base.outer.start, end);
        let height = base.height.max(index.height);
        let kind = ExprKind::Index {
            base: Box::new(base.expr),
            index: Box::new(index.expr),
        };
        node(kind, range, height)
    }

    fn value_prefix(&mut self) -> Result<Parsed, ParseError> {
        let token = self.token;
        let literal = match token.kind {
            TokenKind::Identifier => return self.name(),
            TokenKind::LeftParen => return self.parenthesized(),
            TokenKind::Integer => Literal::Long(self.integer(token)?),
            TokenKind::Float => Literal::Double(self.float(token)?),
            TokenKind::Text => Literal::Text(lexer::unquote(self.text_of(token))),
            TokenKind::True => Literal::Bool(true),
            TokenKind::False => Literal::Bool(false),
            TokenKind::Null => Literal::Null,
            TokenKind::LeftBracket => {
                return Err(self
                    .expected("a value", None)
                    .with_help("lists are not part of the expression language"));
            }
            TokenKind::RightBrace if self.is_first(token) => {
                return Err(self
                    .expected("an expression", None)
                    .with_help(lexer::literal_dollar_help()));
            }
            TokenKind::RightBrace
            | TokenKind::Binary(_)
            | TokenKind::Minus
            | TokenKind::Unary(_)
            | TokenKind::Question
            | TokenKind::Colon
            | TokenKind::Comma
            | TokenKind::Dot
            | TokenKind::RightParen
            | TokenKind::RightBracket
            | TokenKind::End => return Err(self.expected("a value", None)),
        };
        self.bump()?;
        node(ExprKind::Literal(literal), token.range, 0)
    }

    fn integer(&self, token: Token) -> Result<i64, ParseError> {
        let digits = self.text_of(token);
        java::parse_long(digits).ok_or_else(|| {
            ParseError::new(
                format!("expected a number up to {}, found `{digits}`", i64::MAX),
                token.range,
            )
        })
    }

    fn float(&self, token: Token) -> Result<f64, ParseError> {
        let digits = self.text_of(token);
        java::parse_double(digits).ok_or_else(|| {
            ParseError::new(format!("expected a number, found `{digits}`"), token.range)
        })
    }

    fn parenthesized(&mut self) -> Result<Parsed, ParseError> {
        let start = self.bump()?.range.start;
        let mut parsed = self.expression()?;
        let end = self.close(TokenKind::RightParen, "`)`", &parsed)?;
        parsed.outer = TextRange::new(start, end);
        Ok(parsed)
    }

    /// Consumes the token that closes a group and returns the position after it.
    fn close(
        &mut self,
        kind: TokenKind,
        expected: &str,
        last: &Parsed,
    ) -> Result<usize, ParseError> {
        if self.token.kind != kind {
            return Err(self.expected(expected, Some(last)));
        }
        Ok(self.bump()?.range.end)
    }

    /// A variable, or a function with or without prefix.
    fn name(&mut self) -> Result<Parsed, ParseError> {
        let first = self.bump()?;
        if self.token.kind == TokenKind::LeftParen {
            return self.call(None, first, first.range);
        }
        // `a : b` belongs to a conditional unless a parenthesis follows.
        if self.token.kind == TokenKind::Colon
            && let Ok(second) = lexer::next_token(self.text, self.token.range.end)
            && second.kind == TokenKind::Identifier
            && let Ok(third) = lexer::next_token(self.text, second.range.end)
            && third.kind == TokenKind::LeftParen
        {
            self.token = third;
            let name_range = TextRange::new(first.range.start, second.range.end);
            let prefix = self.text_of(first).to_owned();
            return self.call(Some(prefix), second, name_range);
        }
        let name = self.text_of(first).to_owned();
        node(ExprKind::Variable(name), first.range, 0)
    }

    /// The arguments of a function; the current token is `(`.
    fn call(
        &mut self,
        prefix: Option<String>,
        name: Token,
        name_range: TextRange,
    ) -> Result<Parsed, ParseError> {
        self.bump()?;
        let mut args = Vec::new();
        let mut height = 0;
        let mut more = self.token.kind != TokenKind::RightParen;
        while more {
            let arg = self.expression()?;
            more = match self.token.kind {
                TokenKind::Comma => {
                    self.bump()?;
                    true
                }
                TokenKind::RightParen => false,
                _ => return Err(self.expected("`,` or `)`", Some(&arg))),
            };
            height = height.max(arg.height);
            args.push(arg.expr);
        }
        let end = self.bump()?.range.end;
        let range = TextRange::new(name_range.start, end);
        let kind = ExprKind::Call {
            prefix,
            name: self.text_of(name).to_owned(),
            name_range,
            args,
        };
        node(kind, range, height)
    }

    /// An error at the current token. `last` is the preceding expression, for the help.
    fn expected(&self, expected: &str, last: Option<&Parsed>) -> ParseError {
        if self.token.kind == TokenKind::End {
            return ParseError::new(
                format!("expected {expected}, found the end of the value"),
                TextRange::new(self.start, self.token.range.end),
            )
            .with_help(lexer::literal_dollar_help());
        }
        let found = self.text_of(self.token);
        let error = ParseError::new(
            format!("expected {expected}, found `{found}`"),
            self.token.range,
        );
        let after_text =
            last.is_some_and(|last| matches!(last.expr.kind, ExprKind::Literal(Literal::Text(_))));
        match self.token.kind {
            TokenKind::Text => error.with_help(JOIN_HELP),
            TokenKind::Identifier | TokenKind::Integer | TokenKind::Float if after_text => {
                error.with_help(JOIN_HELP)
            }
            TokenKind::Colon if last.is_some_and(is_secret_reference) => {
                error.with_help(SECRET_HELP)
            }
            // A function without its parentheses, or the shell's `${x:-default}`.
            TokenKind::Colon => error.with_help(format!(
                "functions are called with parentheses, as in `wf:id()`; {}",
                lexer::literal_dollar_help()
            )),
            _ => error,
        }
    }

    /// Whether there are only blanks between `${` and `token`.
    fn is_first(&self, token: Token) -> bool {
        self.text[self.start + 2..token.range.start]
            .trim()
            .is_empty()
    }
}

/// Whether an expression is the beginning of `${env:NAME}` or `${file:/path}`.
fn is_secret_reference(parsed: &Parsed) -> bool {
    matches!(&parsed.expr.kind, ExprKind::Variable(name) if ["env", "file"].contains(&name.as_str()))
}

const SECRET_HELP: &str = "a secret is referred to in the value of a property, not here: give `-D NAME='${env:VARIABLE}'`, and write `${NAME}`";

const JOIN_HELP: &str = "`concat(a, b)` joins texts";

fn combine(left: Parsed, op: BinaryOp, right: Parsed) -> Result<Parsed, ParseError> {
    let range = TextRange::new(left.outer.start, right.outer.end);
    let height = left.height.max(right.height);
    let kind = ExprKind::Binary {
        op,
        left: Box::new(left.expr),
        right: Box::new(right.expr),
    };
    node(kind, range, height)
}

/// A node over children of height `height`.
fn node(kind: ExprKind, range: TextRange, height: usize) -> Result<Parsed, ParseError> {
    if height >= MAX_HEIGHT {
        return Err(ParseError::new(
            format!("expected at most {MAX_HEIGHT} operators in a chain, found more"),
            range,
        ));
    }
    Ok(Parsed {
        expr: Expr { kind, range },
        outer: range,
        height: height + 1,
    })
}

/// Prefix and name of the last function call in `expr`.
fn last_call(expr: &Expr) -> Option<(&str, &str)> {
    match &expr.kind {
        ExprKind::Call {
            prefix: Some(prefix),
            name,
            ..
        } => Some((prefix, name)),
        ExprKind::Binary { right, .. } => last_call(right),
        ExprKind::Unary { operand, .. } => last_call(operand),
        ExprKind::Conditional { otherwise, .. } => last_call(otherwise),
        ExprKind::Call { prefix: None, .. }
        | ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Index { .. }
        | ExprKind::Property { .. } => None,
    }
}
