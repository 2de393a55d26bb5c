//! What a random workflow consists of.

/// A function with the arguments `a` and `b` (`u64`), `s` and `t` (`String`) and `p` (`bool`).
pub struct Workflow {
    pub name: String,
    pub body: Vec<Statement>,
    /// How many actions it has: their nodes are `n0`, `n1` and so on.
    pub n_nodes: usize,
}

pub enum Statement {
    /// `note(text, number, truth).named("n3").await?;`
    Note(Call),
    /// `let d3 = make(number, text, truth).named("n3").await?;`
    Make(Call),
    /// `let v3 = number;`
    Let(usize, Number),
    If(Truth, Vec<Statement>, Option<Vec<Statement>>),
    /// `match number % 3 { 0 => …, 1 | 2 => …, _ => … }`
    Match(Number, [Vec<Statement>; 3]),
    /// `match make(…).await { Ok(d3) => …, Err(e3) => … }`
    Outcome(Call, Vec<Statement>, Vec<Statement>),
    /// Two branches, whose actions do not fail.
    Fork([Vec<Statement>; 2]),
    /// `return Ok(());`
    End,
    /// `return Err(kill(text));`
    Kill(Text),
}

/// An action: the number of its node, and what it is given.
pub struct Call {
    pub node: usize,
    pub number: Number,
    pub text: Text,
    pub truth: Truth,
}

pub enum Number {
    Literal(u64),
    /// `a`, `b`
    Argument(&'static str),
    /// `v3`
    Value(usize),
    /// `d3.number`
    Field(usize),
    Add(Box<[Number; 2]>),
    /// By a literal that is not 0.
    Divide(Box<Number>, u64),
    Modulo(Box<Number>, u64),
    Subtract(Box<[Number; 2]>),
    Length(Box<Text>),
    If(Box<Truth>, Box<[Number; 2]>),
}

pub enum Text {
    Literal(&'static str),
    /// `s`, `t`
    Argument(&'static str),
    /// `d3.text`
    Field(usize),
    /// `e3.code()`
    Code(usize),
    Format(Box<Number>, Box<Text>),
    Trim(Box<Text>),
    Upper(Box<Text>),
    /// `own(&text, number)`, a function of the program.
    Own(Box<Text>, u64),
    If(Box<Truth>, Box<[Text; 2]>),
}

pub enum Truth {
    /// `p`
    Argument,
    /// `d3.truth`
    Field(usize),
    Not(Box<Truth>),
    And(Box<[Truth; 2]>),
    Or(Box<[Truth; 2]>),
    Numbers(&'static str, Box<[Number; 2]>),
    Texts(&'static str, Box<[Text; 2]>),
    /// `s.is_empty()`
    IsEmpty(Box<Text>),
}
