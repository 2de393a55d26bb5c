//! Options that are split as a shell does: of a Java program, of a launcher, of Spark.

use super::Forms;
use crate::{
    analysis::action_types,
    lints::unbalanced_quotes::UnbalancedQuote,
    model::{ActionKind, Property, Template},
};

/// Properties with options of a Java program.
const OPTIONS: [&str; 8] = [
    "mapred.child.java.opts",
    "mapred.map.child.java.opts",
    "mapred.reduce.child.java.opts",
    "mapreduce.map.java.opts",
    "mapreduce.reduce.java.opts",
    "oozie.launcher.javaopts",
    "yarn.app.mapreduce.am.admin-command-opts",
    "yarn.app.mapreduce.am.command-opts",
];

impl Forms<'_, '_> {
    /// Reports options with an unclosed quote.
    pub(super) fn quotes(&mut self, kind: &ActionKind) {
        let properties = kind
            .settings()
            .map_or(&[][..], |settings| &settings.configuration.properties);
        for Property { name, value } in properties {
            let is_options = name.literal().map(str::trim).is_some_and(|name| {
                let bare = name.strip_prefix("oozie.launcher.").unwrap_or(name);
                name.ends_with("opts") && (OPTIONS.contains(&name) || OPTIONS.contains(&bare))
            });
            if is_options {
                self.options(value);
            }
        }
        let options = action_types::of(kind).map_or(&[][..], |it| it.options());
        options.iter().for_each(|options| self.options(options));
    }

    fn options(&mut self, template: &Template) {
        let Some(text) = self.known.text(template) else {
            return;
        };
        if let Some(quote) = unclosed_quote(&text.value) {
            self.emit(UnbalancedQuote {
                quote,
                place: template.span,
                origin: text.origin(),
            });
        }
    }
}

/// The quote that is still open at the end, by the rules of a shell.
fn unclosed_quote(text: &str) -> Option<char> {
    let mut open = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (open, c) {
            // A backslash escapes the next character, except between single quotes.
            (None | Some('"'), '\\') => {
                chars.next();
            }
            (None, '"' | '\'') => open = Some(c),
            (Some(quote), c) if quote == c => open = None,
            (None | Some(_), _) => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::unclosed_quote;

    #[test]
    fn quotes() {
        for (text, expected) in [
            ("", None),
            ("-Xmx1g -Da=b", None),
            ("-Da='x y'", None),
            (r#"-Da="it's""#, None),
            (r#"-Da=\"x"#, None),
            (r#"-Da="x\"y""#, None),
            ("-Da='x y", Some('\'')),
            (r#"-Da="x y"#, Some('"')),
            (r"-Da='x\'", None),
            (r#"-Da='"'"#, None),
            (r#"-Da="x\""#, Some('"')),
        ] {
            assert_eq!(unclosed_quote(text), expected, "{text}");
        }
    }
}
