//! One line per diagnostic: `path:line:col: error[H0301]: message`.

use hpdlc_core::visible;

use super::{shown_path, shown_range};
use crate::{diagnostics::Diagnostic, source::SourceMap};

/// The line of a diagnostic, without a line end. Line ends in a message or a path, and other terminal control characters,
/// are escaped.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let path = visible::line(shown_path(diagnostic, sources));
    let place = match shown_range(diagnostic, sources) {
        Some((start, _)) => format!("{path}:{}:{}", start.line, start.column),
        None => path.into_owned(),
    };
    let message = visible::line(&diagnostic.message);
    format!(
        "{place}: {}[{}]: {message}",
        diagnostic.level.as_str(),
        diagnostic.rule.id()
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::diagnostics::render::testing;

    #[test]
    fn each_kind_of_place_has_its_line() {
        let (sources, diagnostics) = testing::every_kind();
        let lines: Vec<String> = diagnostics
            .iter()
            .map(|diagnostic| render(diagnostic, &sources))
            .collect();
        expect![[r#"
            app/workflow.xml:2:25: error[H9901]: undefined node `clean-up`
            job.properties:2:1: warning[unused_things]: property `queue` is not used
            app/workflow.xml: error[H9901]: the document has no element
            app/lib: warning[unused_things]: folder `lib` is empty"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn control_characters_stay_on_the_line_and_harmless() {
        let (sources, mut diagnostics) = testing::every_kind();
        let mut diagnostic = diagnostics.remove(3);
        diagnostic.message = "one\ntwo \u{1b}[31m".to_owned();
        assert_eq!(
            render(&diagnostic, &sources),
            "app/lib: warning[unused_things]: one\\ntwo \\x1b[31m"
        );
    }
}
