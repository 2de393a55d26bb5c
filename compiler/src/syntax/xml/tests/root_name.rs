//! The name of the root element, found in texts that may not be XML at all.

use crate::syntax::xml::root_name;

#[test]
fn name_of_the_root_is_found_without_reading_the_document() {
    for (text, expected) in [
        ("<a/>", Some("a")),
        (
            "\u{feff}<?xml version='1.0'?>\n<!-- <b> --><!DOCTYPE c><d:e\nx='y'>",
            Some("e"),
        ),
        ("<a", Some("a")),
        ("<!-- <a/>", None),
        ("text", None),
        ("<", None),
        ("", None),
    ] {
        assert_eq!(root_name(text), expected, "{text}");
    }
}
