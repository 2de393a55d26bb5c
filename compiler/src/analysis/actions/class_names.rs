//! Names of main classes.

use crate::{
    analysis::known_values::KnownValues, diagnostics::Sink,
    lints::malformed_class_names::MalformedClassName, model::Template,
};

/// What a file of a class ends with, and its name does not.
const ENDINGS: [&str; 5] = [".class", ".java", ".scala", ".kt", ".jar"];

/// Reports a name that no class can have: the JVM does not find it.
pub(super) fn check(class: &Template, known: &KnownValues, sink: &mut Sink) {
    let Some(text) = known.text(class) else {
        return;
    };
    let name = text.value.trim();
    if name.is_empty() || is_class_name(name) {
        return;
    }
    sink.emit(MalformedClassName {
        name: name.to_owned(),
        place: class.span,
        meant: meant(name),
    });
}

fn is_class_name(name: &str) -> bool {
    let is_first = |c: char| c.is_alphabetic() || matches!(c, '_' | '$');
    let mut parts = name.split('.');
    let is_well_formed = parts.all(|part| {
        let mut chars = part.chars();
        chars.next().is_some_and(is_first) && chars.all(|c| is_first(c) || c.is_numeric())
    });
    // A package may be called `jar`, but hardly with a class in lower case in it.
    is_well_formed && !ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn meant(name: &str) -> Option<String> {
    let bare = ENDINGS
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name);
    let meant = bare.trim_matches('/').replace('/', ".");
    is_class_name(&meant).then_some(meant)
}

#[cfg(test)]
mod tests {
    use super::{is_class_name, meant};

    #[test]
    fn names_of_classes() {
        for (name, expected) in [
            ("Main", None),
            ("com.example.Main", None),
            ("com.example.Main$Inner", None),
            ("org.école.Été", None),
            ("_a.b2", None),
            ("com/example/Main", Some(Some("com.example.Main"))),
            ("com.example.Main.class", Some(Some("com.example.Main"))),
            ("Main.java", Some(Some("Main"))),
            ("src/com/Main.scala", Some(Some("src.com.Main"))),
            ("com.example.", Some(None)),
            ("com.example.Main arg", Some(None)),
            ("2b", Some(None)),
            ("-main", Some(None)),
        ] {
            let found = (!is_class_name(name)).then(|| meant(name));
            let expected: Option<Option<String>> = expected.map(|it| it.map(str::to_owned));
            assert_eq!(found, expected, "{name}");
        }
    }
}
