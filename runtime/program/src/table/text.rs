//! The texts of a document in the table, and their places.
//!
//! Their shapes are what rustc takes quickly: most of a program are texts, and each costs it again what one costs.

use std::borrow::Cow;

use hpdlc_core::el::{
    error::ElError,
    functions::{Function, Needs},
    scope::{Origin, Scope},
};

/// A place in the source: 1-based line, 1-based column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: &'static str,
    pub line: u32,
    pub column: u32,
}

/// The places of one file that use a property. One text, because there may be thousands, which nearly nobody asks for.
#[derive(Debug)]
pub struct Uses {
    pub file: &'static str,
    /// `12:9 14:20`: line and column of each.
    pub places: &'static str,
}

impl Uses {
    /// The places, in the order of the document.
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
/// Lines are counted from the first line of the node that the text is in, whose own line is in [`App::lines`]: a node
/// that is inserted above changes nothing here. Columns are 1-based, in characters. What costs rustc most are references: so the
/// common texts have variants without one, and a text is kept whole only where it does not follow from its parts.
///
/// [`App::lines`]: crate::table::App::lines
#[derive(Clone, Copy, Debug)]
pub enum Template {
    /// A text that means itself: line, text.
    Text(u32, &'static str),
    /// `${name}`: line, column, name.
    Property(u32, u32, &'static str),
    /// One property in a text: line, column, what is before it, name, what is behind it.
    Around(u32, u32, &'static str, &'static str, &'static str),
    /// Several properties: line, column, each name with what is before it, what is behind the last.
    Join(
        u32,
        u32,
        &'static [(&'static str, &'static str)],
        &'static str,
    ),
    /// Calls of functions: line, column, text, parts.
    Parts(u32, u32, &'static str, &'static [Part]),
    /// A text with operators: line, column, text, what its value depends on, code.
    Code(u32, u32, &'static str, Needs, TextFn),
    /// A case of a decision that is one boolean expression: line, column, text, what its value depends on, code.
    Test(u32, u32, &'static str, Needs, TestFn),
    /// A text of a coordinator or bundle, whose meaning depends on when it is asked for: line, column, text.
    Source(u32, u32, &'static str),
    /// A text that the document spells in another way, such as with `&amp;`.
    Placed(&'static Placed),
    /// A text that is in no node.
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
    /// A call with its arguments, of which there are as many as the function has parameters.
    Call(&'static Function, &'static [Part]),
    /// `map[key]`: the two.
    Entry(&'static [Part; 2]),
    /// `map.key`
    Member(&'static Part, &'static str),
    /// `wf:actionData('node')['key']`: what a node has left under a key.
    Captured(&'static str, &'static str),
}

/// The code of a text.
pub type TextFn = fn(&dyn Scope) -> Result<String, ElError>;

/// The code of a boolean.
pub type TestFn = fn(&dyn Scope) -> Result<bool, ElError>;

/// A text that is in no node, such as one that nodes inherit from `global`.
#[derive(Clone, Copy, Debug)]
pub struct Outside {
    pub file: &'static str,
    /// What the lines of `text` are counted from.
    pub line: u32,
    pub text: Template,
}

/// A text with what moves its expressions from where they would be: references, `CDATA` sections, comments.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub text: Template,
    /// Of each expression, in order: lines below the beginning of the text, and column.
    pub expressions: &'static [(u32, u32)],
}

impl Template {
    /// As written, with XML's entities resolved.
    pub fn source(&self) -> Cow<'static, str> {
        match *self {
            Template::Text(_, text) => Cow::Borrowed(text),
            Template::Parts(_, _, source, _)
            | Template::Code(_, _, source, _, _)
            | Template::Test(_, _, source, _, _)
            | Template::Source(_, _, source) => Cow::Borrowed(source),
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

    /// Where it is, if its node begins at `origin`. A literal, in which nothing can go wrong, is given no column.
    pub fn place(&self, origin: Origin) -> Place {
        let (line, column) = match *self {
            Template::Text(line, _) => (line, 1),
            Template::Property(line, column, _)
            | Template::Around(line, column, _, _, _)
            | Template::Join(line, column, _, _)
            | Template::Parts(line, column, _, _)
            | Template::Code(line, column, _, _, _)
            | Template::Test(line, column, _, _, _)
            | Template::Source(line, column, _) => (line, column),
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

    /// Where the expression `number` begins, as lines below the beginning of the text and a column. `None` where the text
    /// is spelled as it is meant, so that counting in it gives the place.
    pub fn expression_place(&self, number: usize) -> Option<(u32, u32)> {
        match self {
            Template::Text(..)
            | Template::Property(..)
            | Template::Around(..)
            | Template::Join(..)
            | Template::Parts(..)
            | Template::Code(..)
            | Template::Test(..)
            | Template::Source(..) => None,
            Template::Placed(placed) => placed.expressions.get(number).copied(),
            Template::Outside(outside) => outside.text.expression_place(number),
        }
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        match self {
            Template::Text(_, text) => text.is_empty(),
            Template::Property(..)
            | Template::Around(..)
            | Template::Join(..)
            | Template::Parts(..)
            | Template::Code(..)
            | Template::Test(..) => false,
            Template::Source(_, _, text) => text.is_empty(),
            Template::Placed(placed) => placed.text.is_empty(),
            Template::Outside(outside) => outside.text.is_empty(),
        }
    }

    /// What its value depends on, besides properties of the job.
    pub fn needs(&self) -> Needs {
        match self {
            Template::Text(..)
            | Template::Property(..)
            | Template::Around(..)
            | Template::Join(..) => Needs::Nothing,
            Template::Parts(_, _, _, parts) => most(parts),
            Template::Code(_, _, _, needs, _) | Template::Test(_, _, _, needs, _) => *needs,
            Template::Source(..) => Needs::Coordinator,
            Template::Placed(placed) => placed.text.needs(),
            Template::Outside(outside) => outside.text.needs(),
        }
    }

    /// Evaluating it may take long: it looks at files.
    pub fn is_blocking(&self) -> bool {
        matches!(self.needs(), Needs::Files | Needs::Cluster)
    }

    /// Whether its value is the same as long as its job runs: it depends on nothing that happens, nor on the time.
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
        }
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::el::functions::{basic, fs, wf};

    use super::*;

    fn code(_: &dyn Scope) -> Result<String, ElError> {
        Ok(String::new())
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
                Template::Code(3, 7, "${f()}", Needs::Files, code),
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

    static NEEDS: [(&[Part], Needs); 8] = [
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
