//! Start and end tags that do not match.

use crate::{diagnostics::Sink, source::FileId, syntax::xml::parse};

#[test]
fn a_misspelled_tag_may_be_either_of_the_two() {
    for (text, expected) in [
        ("<a><scripts>x</script></a>", &["scripts", "script"][..]),
        ("<a><timeOut>x</timeout></a>", &["timeout"]),
        ("<a><ok></OK></a>", &["ok"]),
        ("<a><ok></message></a>", &["ok"]),
    ] {
        let mut sink = Sink::default();
        parse(FileId(0), text, &mut sink);
        let found = sink.into_sorted();
        let names: Vec<&str> = found
            .iter()
            .flat_map(|diagnostic| &diagnostic.suggestions)
            .flat_map(|suggestion| &suggestion.edits)
            .map(|(_, name)| name.as_str())
            .collect();
        assert_eq!(names, expected, "{text}");
    }
}
