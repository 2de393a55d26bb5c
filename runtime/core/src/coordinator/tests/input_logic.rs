//! Which inputs an action needs, by the logic of its coordinator.

use super::*;

/// The elements of a logic in a short form: `(or a b)`, `(and:x min=2 wait=60 a b)`, `a:name min=1`.
struct Parser<'a> {
    words: std::iter::Peekable<std::vec::IntoIter<&'a str>>,
}

fn logic(text: &str) -> LogicText {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser {
        words: words.into_iter().peekable(),
    };
    parser.node()
}

impl Parser<'_> {
    fn node(&mut self) -> LogicText {
        let first = self.words.next().expect("an element");
        let is_group = first == "(";
        let head = if is_group {
            self.words.next().expect("the name of an element")
        } else {
            first
        };
        let (element, name) = match head.split_once(':') {
            Some((element, name)) => (element, Some(template(name))),
            None => (head, None),
        };
        let (mut min, mut wait) = (None, None);
        while let Some((attribute, value)) = self.words.peek().and_then(|word| word.split_once('='))
        {
            let place = if attribute == "min" {
                &mut min
            } else {
                &mut wait
            };
            *place = Some(template(value));
            self.words.next();
        }
        let mut nodes = Vec::new();
        while is_group && self.words.next_if_eq(&")").is_none() {
            nodes.push(self.node());
        }
        LogicText {
            kind: match element {
                "and" => LogicTextKind::And(nodes),
                "or" => LogicTextKind::Or(nodes),
                "combine" => LogicTextKind::Combine(nodes),
                input => LogicTextKind::Input(template(input)),
            },
            name,
            min,
            wait,
        }
    }
}

/// The inputs `a` to `e`: `a` with `x` for each available instance, `.` for a missing one; `?`, `!` and `-` for a search that is
/// open, has found `found`, or has not found enough.
fn inputs(text: &str) -> Vec<InputState> {
    let mut inputs = vec![InputState::default(); 5];
    for word in text.split_whitespace() {
        let (name, rest) = word.split_at(1);
        let number = "abcde".find(name).expect("an input");
        for (at, sign) in rest.chars().enumerate() {
            match sign {
                'x' | '.' => inputs[number]
                    .fixed
                    .push((format!("{name}{at}"), sign == 'x')),
                '?' => inputs[number].searched = Searched::Open,
                '!' => inputs[number].searched = Searched::Found(vec![format!("{name}-found")]),
                _ => inputs[number].searched = Searched::TooFew,
            }
        }
    }
    inputs
}

fn decide(text: &str, state: &str, minutes: i64) -> String {
    let logic = logic(text)
        .resolve(&job(&[("two", "2")]), &["a", "b", "c", "d", "e"])
        .unwrap_or_else(|problem| panic!("{text}: {problem}"));
    match logic.decide(&inputs(state), minutes) {
        LogicDecision::Ready(names) => {
            let names: Vec<String> = names
                .into_iter()
                .map(|(name, uris)| format!("{name}={}", uris.join(",")))
                .collect();
            format!("ready {}", names.join(" ")).trim_end().to_owned()
        }
        LogicDecision::NotReady => "no".to_owned(),
        LogicDecision::Search(numbers) => {
            let names: String = numbers.into_iter().map(|at| &"abcde"[at..=at]).collect();
            format!("search {names}")
        }
    }
}

#[test]
fn decisions_are_those_of_oozie() {
    for (text, state, minutes, expected) in [
        // All instances of the first element, otherwise of the next.
        ("(or:r a b)", "axx bxx", 0, "ready r=a0,a1"),
        ("(or:r a b)", "ax. bxx", 0, "ready r=b0,b1"),
        ("(or:r a b)", "ax. b.x", 0, "no"),
        ("(and:r a b)", "ax bx", 0, "ready r=b0,a0"),
        ("(and:r a b c)", "ax bx cx", 0, "ready r=c0,b0,a0"),
        ("(and:r a b)", "ax b.", 0, "no"),
        (
            "(or (and:r a b) (and:s c d))",
            "ax b. cx dx",
            0,
            "ready s=d0,c0",
        ),
        (
            "(and (or:r a b) (or:s c d))",
            "a. bx cx d.",
            0,
            "ready r=b0 s=c0",
        ),
        ("(or a:r b:s)", "a. bx", 0, "ready s=b0"),
        // An input without instances is available.
        ("(or:r a b)", "bx", 0, "ready r="),
        // The minimum is sufficient.
        ("(or:r min=2 a b)", "a.x.x b...", 0, "ready r=a1,a3"),
        ("(or:r min=${two} a b)", "a.x.. b.xx.", 0, "ready r=b1,b2"),
        ("(or:r min=2 a b min=1)", "a.x.. b...x", 0, "ready r=b3"),
        ("(and min=1 (or:r a b))", "a.x. b..", 0, "ready r=a1"),
        ("(or:r a min=0 b)", "a.. bx", 0, "ready r="),
        ("(or:r a min=-1 b)", "ax. b.", 0, "no"),
        // Waiting for more: the preferred element waits first, then the next.
        ("(or:r a wait=60 b wait=90 c)", "a. bx cx", 59, "no"),
        ("(or:r a wait=60 b wait=90 c)", "a. bx cx", 60, "ready r=b0"),
        ("(or:r a wait=60 b wait=90 c)", "a. b. cx", 60, "no"),
        ("(or:r a wait=60 b wait=90 c)", "a. b. cx", 89, "no"),
        ("(or:r a wait=60 b wait=90 c)", "a. b. cx", 90, "ready r=c0"),
        ("(or:r a wait=60 b wait=90 c)", "ax b. cx", 0, "ready r=a0"),
        ("(or:r min=1 wait=10 a b)", "ax. bxx", 9, "no"),
        ("(or:r min=1 wait=10 a b)", "ax. bxx", 10, "ready r=a0"),
        ("(or:r min=1 wait=10 a b)", "axx b.", 0, "ready r=a0,a1"),
        // It is not inherited by groups and combined inputs.
        ("(or wait=10 (and:r min=1 a))", "ax.", 0, "ready r=a0"),
        (
            "(or wait=10 (combine:r min=1 a b))",
            "ax. b..",
            0,
            "ready r=a0",
        ),
        ("(combine:r min=1 wait=10 a b)", "ax. b..", 9, "no"),
        // A wait in an `and` that fails anyway causes no delay.
        ("(or:r (and a wait=60 b) c)", "a. b. cx", 0, "ready r=c0"),
        ("(or:r (and a wait=60 b) c)", "a. bx cx", 0, "no"),
        // The same positions of several datasets.
        ("(combine:r a b)", "ax.x bxx.", 0, "ready r=a0,b1,a2"),
        ("(combine:r a b)", "ax.. bxx.", 0, "no"),
        ("(combine:r min=2 a b)", "ax.. bxx.", 0, "ready r=a0,b1"),
        ("(combine:r a b c)", "a.. bx. cx.", 0, "no"),
        ("(combine:r a b)", "axx bx", 0, "no"),
        ("(combine:r a b)", "a? b?", 0, "no"),
        // Searches are requested when they are decisive.
        ("(or:r a b)", "a? bx", 0, "search a"),
        ("(or:r a b)", "a! bx", 0, "ready r=a-found"),
        ("(or:r a b)", "a- bx", 0, "ready r=b0"),
        ("(or:r a b)", "ax b?", 0, "ready r=a0"),
        ("(and:r a b c)", "a? bx c?", 0, "search ac"),
        ("(and:r a b)", "a? b.", 0, "no"),
        ("(and:r a b)", "a!x bx", 0, "ready r=b0,a-found,a1"),
        ("(or:r a wait=5 b)", "a- bx", 0, "no"),
        ("(or:r a min=0 b)", "a- bx", 0, "ready r="),
    ] {
        assert_eq!(
            decide(text, state, minutes),
            expected,
            "{text} of {state} after {minutes}"
        );
    }
}

#[test]
fn logic_is_held_to_the_inputs() {
    for (text, expected) in [
        ("(or a f)", "the input logic: there is no input event `a`"),
        (
            "(or i min=x)",
            "the input logic: `min` is `x`, which is no whole number",
        ),
        ("(or wait=1.5 i)", "the input logic: `wait` is `1.5`"),
        ("(or:${x} i)", "the input logic: variable `x`"),
    ] {
        let daily = ("${coord:days(1)}", "UTC", "2009-01-01T00:00");
        let mut definition = definition(daily, each("${coord:current(0)}"));
        definition.input_logic = Some(logic(text));
        let error = definition.resolve(job(&[])).map(|_| ()).expect_err(text);
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}
