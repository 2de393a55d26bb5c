//! Finds the modules of a source file that the packed crates are compiled without. The file is read line by line, as rustfmt
//! leaves it: an attribute stands on the line before its module.

/// What leaves a module out of a packed crate: nothing tests it, and nobody calls its command line.
const LEFT_OUT: [&str; 2] = ["#[cfg(test)]", "#[cfg(feature = \"cli\")]"];

/// The names of the modules that are left out.
pub fn left_out(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines
        .clone()
        .zip(lines.skip(1))
        .filter_map(|(above, line)| {
            let declared = LEFT_OUT.contains(&above).then_some(line)?;
            let (_, name) = declared.strip_suffix(';')?.split_once("mod ")?;
            Some(name)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_tests_and_of_the_command_line_are_left_out() {
        let text = "mod kept;\n#[cfg(feature = \"cli\")]\npub mod emitted;\npub mod read;\n\n#[cfg(test)]\nmod testing;\n\
                    #[cfg(feature = \"cli\")]\npub use self::place::BuildPlaces;\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(left_out(text).collect::<Vec<_>>(), ["emitted", "testing"]);
    }
}
