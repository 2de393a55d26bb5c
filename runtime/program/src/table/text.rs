//! The texts of a document in the table, and their places.
//!
//! The representation is chosen for fast compilation by rustc: a program consists mostly of texts.

use std::borrow::Cow;

use hpdlc_core::el::{
    error::ElError,
    functions::{Function, Needs},
    scope::{Origin, Scope},
    value::Value,
};

/// A place in the source: 1-based line, 1-based column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: &'static str,
    pub line: u32,
    pub column: u32,
}

/// The places in one file that use a property, encoded as one text, because there may be thousands and they are rarely needed.
#[derive(Debug)]
pub struct Uses {
    pub file: &'static str,
    /// `12:9 14:20`: line and column of each place.
    pub places: &'static str,
}

impl Uses {
    /// The places, in document order.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let file = self.file;
        self.places.split(' ').filter_map(move |place| {
            let (line, column) = place.split_once(':')?;
            Some(Place {
                file,
                line: line.parse().ok()?,
                column: column.parse().ok()?,
            })
        })
    }
}

/// A text of the document, compiled.
///
/// Lines are relative to the first line of the node that contains the text, which is in [`App::lines`]: inserting a node
/// above changes nothing here. Columns are 1-based, in characters. References are what takes rustc longest: therefore the
/// common texts have variants without one, and the whole text is stored only if it cannot be reconstructed from its
/// parts.
///
/// [`App::lines`]: crate::table::App::lines
#[derive(Clone, Copy, Debug)]
pub enum Template {
    /// A literal: line, text.
    Text(u32, &'static str),
    /// `${name}`: line, column, name.
    Property(u32, u32, &'static str),
    /// One property in a text: line, column, text before it, name, text after it.
    Around(u32, u32, &'static str, &'static str, &'static str),
    /// Several properties: line, column, each name with the text before it, text after the last.
    Join(
        u32,
        u32,
        &'static [(&'static str, &'static str)],
        &'static str,
    ),
    /// Calls and operators: line, column, text, parts.
    Parts(u32, u32, &'static str, &'static [Part]),
    /// A case of a decision that is one boolean expression: line, column, text, dependencies of its value, code.
    Test(u32, u32, &'static str, Needs, TestFn),
    /// A text whose spelling in the document differs from its value, such as with `&amp;`.
    Placed(&'static Placed),
    /// A text outside all nodes.
    Outside(&'static Outside),
}

/// A part of a text, or an argument of a function.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    Null,
    Bool(bool),
    Long(i64),
    Double(f64),
    Text(&'static str),
    /// A property, by its name.
    Property(&'static str),
    /// A call with its arguments, exactly one per parameter of the function.
    Call(&'static Function, &'static [Part]),
    /// `map[key]`: map and key.
    Entry(&'static [Part; 2]),
    /// `map.key`
    Member(&'static Part, &'static str),
    /// `wf:actionData('node')['key']`: the output that a node has captured for a key.
    Captured(&'static str, &'static str),
    /// An expression with an operator: dependencies of its value, names of the properties, inputs and outputs in it, code.
    Code(Needs, &'static [&'static str], ValueFn),
}

/// The generated code of an expression.
pub type ValueFn = fn(&dyn Scope) -> Result<Value, ElError>;

/// The generated code of a boolean expression.
pub type TestFn = fn(&dyn Scope) -> Result<bool, ElError>;

/// A text outside all nodes, such as one that nodes inherit from `global`.
#[derive(Clone, Copy, Debug)]
pub struct Outside {
    pub file: &'static str,
    /// The line that the lines of `text` are relative to.
    pub line: u32,
    pub text: Template,
}

/// A text whose expressions are moved by references, `CDATA` sections or comments.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub text: Template,
    /// For each expression, in order: its line relative to the beginning of the text, and its column.
    pub expressions: &'static [(u32, u32)],
}

impl Template {
    /// The text as written, with XML entities resolved.
    pub fn source(&self) -> Cow<'static, str> {
        match *self {
            Template::Text(_, text) => Cow::Borrowed(text),
            Template::Parts(_, _, source, _) | Template::Test(_, _, source, _, _) => {
                Cow::Borrowed(source)
            }
            Template::Property(_, _, name) => Cow::Owned(format!("${{{name}}}")),
            Template::Around(_, _, before, name, behind) => {
                Cow::Owned(format!("{before}${{{name}}}{behind}"))
            }
            Template::Join(_, _, properties, tail) => {
                let mut source = String::new();
                for (before, name) in properties {
                    source.push_str(before);
                    source.push_str("${");
                    source.push_str(name);
                    source.push('}');
                }
                source.push_str(tail);
                Cow::Owned(source)
            }
            Template::Placed(placed) => placed.text.source(),
            Template::Outside(outside) => outside.text.source(),
        }
    }

    /// Its place, if its node begins at `origin`. A literal cannot fail, so its column is not stored and is reported as 1.
    pub fn place(&self, origin: Origin) -> Place {
        let (line, column) = match *self {
            Template::Text(line, _) => (line, 1),
            Template::Property(line, column, _)
            | Template::Around(line, column, _, _, _)
            | Template::Join(line, column, _, _)
            | Template::Parts(line, column, _, _)
            | Template::Test(line, column, _, _, _) => (line, column),
            Template::Placed(placed) => return placed.text.place(origin),
            Template::Outside(&Outside { file, line, text }) => {
                return text.place(Origin { file, line });
            }
        };
        Place {
            file: origin.file,
            line: origin.line + line,
            column,
        }
    }

    /// The beginning of the expression `number`: its line relative to the beginning of the text, and its column. `None`
    /// if they can be computed from the text, because its spelling equals its value.
    pub fn expression_place(&self, number: usize) -> Option<(u32, u32)> {
        match self {
            Template::Text(..)
            | Template::Property(..)
            | Template::Around(..)
            | Template::Join(..)
            | Template::Parts(..)
            | Template::Test(..) => None,
            Template::Placed(placed) => placed.expressions.get(number).copied(),
            Template::Outside(outside) => outside.text.expression_place(number),
        }
    }

    /// Whether the source text is empty.
    pub fn is_empty(&self) -> bool {
        match self {
            Template::Text(_, text) => text.is_empty(),
            Template::Property(..)
            | Template::Around(..)
            | Template::Join(..)
            | Template::Parts(..)
            | Template::Test(..) => false,
            Template::Placed(placed) => placed.text.is_empty(),
            Template::Outside(outside) => outside.text.is_empty(),
        }
    }

    /// The dependencies of its value, besides properties of the job.
    pub fn needs(&self) -> Needs {
        match self {
            Template::Text(..)
            | Template::Property(..)
            | Template::Around(..)
            | Template::Join(..) => Needs::Nothing,
            Template::Parts(_, _, _, parts) => most(parts),
            Template::Test(_, _, _, needs, _) => *needs,
            Template::Placed(placed) => placed.text.needs(),
            Template::Outside(outside) => outside.text.needs(),
        }
    }

    /// Whether evaluating it may block, because it accesses files.
    pub fn is_blocking(&self) -> bool {
        matches!(self.needs(), Needs::Files | Needs::Cluster)
    }

    /// Whether its value is constant while its job runs: it depends neither on events nor on the time.
    pub fn is_constant(&self) -> bool {
        self.needs() <= Needs::Job
    }
}

fn most(parts: &[Part]) -> Needs {
    let needs = parts.iter().map(Part::needs);
    needs.max().unwrap_or(Needs::Nothing)
}

impl Part {
    fn needs(&self) -> Needs {
        match self {
            Part::Null
            | Part::Bool(_)
            | Part::Long(_)
            | Part::Double(_)
            | Part::Text(_)
            | Part::Property(_) => Needs::Nothing,
            Part::Call(function, arguments) => function.needs.max(most(arguments)),
            Part::Entry(both) => most(&both[..]),
            Part::Member(base, _) => base.needs(),
            Part::Captured(_, _) => Needs::Nodes,
            Part::Code(needs, _, _) => *needs,
        }
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::el::functions::{basic, fs, wf};

    use super::*;

    fn code(_: &dyn Scope) -> Result<Value, ElError> {
        Ok(Value::Null)
    }

    fn place(file: &'static str, line: u32, column: u32) -> Place {
        Place { file, line, column }
    }

    #[test]
    fn lines_are_counted_from_the_node_and_outside_of_it_from_their_own() {
        let origin = Origin {
            file: "workflow.xml",
            line: 30,
        };
        static INHERITED: Outside = Outside {
            file: "config-default.xml",
            line: 8,
            text: Template::Property(0, 16, "a"),
        };
        for (template, expected) in [
            (Template::Text(0, "a"), place("workflow.xml", 30, 1)),
            (Template::Property(2, 9, "a"), place("workflow.xml", 32, 9)),
            (
                Template::Parts(3, 7, "${1 + f()}", &[Part::Code(Needs::Files, &[], code)]),
                place("workflow.xml", 33, 7),
            ),
            (
                Template::Outside(&INHERITED),
                place("config-default.xml", 8, 16),
            ),
        ] {
            assert_eq!(template.place(origin), expected, "{template:?}");
        }
    }

    #[test]
    fn a_text_follows_from_its_parts() {
        for (template, expected) in [
            (Template::Text(0, "a ${"), "a ${"),
            (Template::Property(0, 1, "a"), "${a}"),
            (Template::Around(0, 1, "x-", "a", "/y"), "x-${a}/y"),
            (
                Template::Join(0, 1, &[("", "a"), ("/é/", "b")], "."),
                "${a}/é/${b}.",
            ),
            (Template::Parts(0, 1, "${ 1 }", &[Part::Long(1)]), "${ 1 }"),
        ] {
            assert_eq!(template.source(), expected, "{template:?}");
        }
    }

    static DATA: Part = Part::Call(&wf::ACTION_DATA, &[Part::Text("a")]);

    static NEEDS: [(&[Part], Needs); 9] = [
        (&[Part::Text("a"), Part::Property("p")], Needs::Nothing),
        (&[Part::Call(&wf::USER, &[]), Part::Long(1)], Needs::Job),
        (
            &[Part::Call(&basic::TRIM, &[Part::Call(&wf::RUN, &[])])],
            Needs::Job,
        ),
        (&[Part::Captured("a", "k")], Needs::Nodes),
        (&[Part::Member(&DATA, "k")], Needs::Nodes),
        (&[Part::Entry(&[Part::Null, DATA])], Needs::Nodes),
        (&[Part::Call(&basic::TIMESTAMP, &[])], Needs::Clock),
        (
            &[Part::Call(&fs::EXISTS, &[Part::Text("/x")]), DATA],
            Needs::Files,
        ),
        (
            &[Part::Call(
                &basic::TRIM,
                &[Part::Code(Needs::Files, &[], code)],
            )],
            Needs::Files,
        ),
    ];

    #[test]
    fn a_text_needs_what_its_functions_need() {
        for (parts, expected) in NEEDS {
            let template = Template::Parts(0, 1, "", parts);
            assert_eq!(template.needs(), expected, "{template:?}");
            assert_eq!(template.is_blocking(), expected == Needs::Files);
            assert_eq!(template.is_constant(), expected <= Needs::Job);
        }
    }

    #[test]
    fn every_use_has_its_place() {
        let uses = Uses {
            file: "workflow.xml",
            places: "12:9 140:20",
        };
        let places: Vec<Place> = uses.places().collect();
        assert_eq!(
            places,
            [place("workflow.xml", 12, 9), place("workflow.xml", 140, 20)]
        );
    }
}
