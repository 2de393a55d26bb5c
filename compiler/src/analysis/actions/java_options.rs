//! Options of a JVM that it refuses, or that YARN's launch script splits elsewhere.

use hpdlc_core::java_options;

use crate::{
    analysis::known_values::KnownValues,
    diagnostics::Sink,
    lints::misread_java_options::{JavaOptionsProblem, MisreadJavaOptions},
    model::Template,
};

/// Options whose value is the next word.
const WITH_VALUE: [&str; 13] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-opens",
    "--add-exports",
    "--add-reads",
    "--limit-modules",
    "--patch-module",
    "--enable-native-access",
];

/// Options that end with a size.
const SIZES: [&str; 4] = ["-Xmx", "-Xms", "-Xmn", "-Xss"];

/// Reports double quotes in the options of a JVM, if they change the options on YARN.
pub(super) fn check(options: &[Template], known: &KnownValues, sink: &mut Sink) {
    for template in options {
        let Some(text) = known.text(template) else {
            continue;
        };
        let keep = |name: &str| Some(format!("${name}"));
        let origin = text.origin();
        let quotes = bare_quotes(&text.value);
        if quotes.is_empty() {
            if let Ok(words) = java_options::split(&text.value, &keep)
                && let Some(problem) = refused(&words)
            {
                sink.emit(MisreadJavaOptions {
                    place: template.span,
                    origin,
                    problem,
                });
            }
            continue;
        }
        // Without them the text is what YARN's script reads.
        let mut bare = text.value.clone().into_owned();
        quotes.iter().rev().for_each(|at| {
            bare.remove(*at);
        });
        let here = java_options::split(&text.value, &keep);
        let on_yarn = java_options::split(&bare, &keep);
        let (Ok(here), Ok(on_yarn)) = (here, on_yarn) else {
            continue;
        };
        if here == on_yarn {
            continue;
        }
        let is_written = template.ast.as_text().is_some() && !text.value.contains('\'');
        let quotes = quotes.iter().filter(|_| is_written);
        sink.emit(MisreadJavaOptions {
            place: template.span,
            origin,
            problem: JavaOptionsProblem::Quotes {
                words: on_yarn,
                quotes: quotes
                    .map(|at| template.text.span_of(*at..*at + 1))
                    .collect(),
            },
        });
    }
}

/// The places of double quotes without a backslash.
fn bare_quotes(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => {
                characters.next();
            }
            '"' => places.push(at),
            _ => {}
        }
    }
    places
}

/// The first word that the JVM refuses.
fn refused(words: &[String]) -> Option<JavaOptionsProblem> {
    let mut before = "";
    for (at, word) in words.iter().enumerate() {
        if SIZES.contains(&word.as_str()) {
            return Some(JavaOptionsProblem::NoSize {
                option: word.clone(),
                size: words.get(at + 1).cloned(),
            });
        }
        // The value of a variable is unknown.
        let is_option = word.starts_with(['-', '@', '$', '<']) || word.is_empty();
        if !is_option && !WITH_VALUE.contains(&before) {
            return Some(JavaOptionsProblem::NoOption(word.clone()));
        }
        before = word;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{JavaOptionsProblem as P, refused};

    #[test]
    fn words_that_a_jvm_refuses() {
        let no_size = |option: &str, size: Option<&str>| {
            Some(P::NoSize {
                option: option.to_owned(),
                size: size.map(str::to_owned),
            })
        };
        for (text, expected) in [
            ("-Xmx4g -Da=b", None),
            ("-Xmx 4g", no_size("-Xmx", Some("4g"))),
            ("-Da=b -Xss", no_size("-Xss", None)),
            ("Xmx4g", Some(P::NoOption("Xmx4g".to_owned()))),
            ("-Da= b", Some(P::NoOption("b".to_owned()))),
            ("-cp a.jar -Da=b", None),
            ("--add-opens java.base/java.lang=ALL-UNNAMED", None),
            ("$JAVA_OPTS -Xmx4g", None),
        ] {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            assert_eq!(refused(&words), expected, "{text}");
        }
    }
}
