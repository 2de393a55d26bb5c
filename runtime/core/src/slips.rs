//! Names that differ by a slip of the fingers.

/// How many letters a name must have for one more or less to be a slip: `a` and `ab` are just two names.
const LONG_ENOUGH: usize = 5;

/// And how many for two swapped ones.
const LONG_ENOUGH_TO_SWAP: usize = 4;

/// Whether one name is the other with a slip of the fingers: another case, other separators, a plural, a letter more or less,
/// or two letters swapped.
pub fn is_slip(one: &str, other: &str) -> bool {
    if one == other || one.len().abs_diff(other.len()) > 3 {
        return false;
    }
    let folded = |name: &str| -> Vec<char> {
        let letters = name.chars().filter(|char| !matches!(char, '-' | '_' | '.'));
        letters.flat_map(char::to_lowercase).collect()
    };
    let (one, other) = (folded(one), folded(other));
    if one == other {
        return !one.is_empty();
    }
    let (short, long) = if one.len() <= other.len() {
        (&one, &other)
    } else {
        (&other, &one)
    };
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    match long.len() - short.len() {
        0 => {
            let is_swapped = long.get(same + 1) == short.get(same)
                && long.get(same) == short.get(same + 1)
                && long.get(same + 2..) == short.get(same + 2..);
            is_swapped && short.len() >= LONG_ENOUGH_TO_SWAP && is_text(&short[same..=same + 1])
        }
        1 => {
            let is_plural = same == short.len() && long[same] == 's' && short.len() >= 3;
            let is_one_more = long[same + 1..] == short[same..]
                && short.len() >= LONG_ENOUGH
                && is_text(&long[same..=same]);
            is_plural || is_one_more
        }
        _ => false,
    }
}

/// A digit more is another name: `table1`.
fn is_text(chars: &[char]) -> bool {
    chars.iter().all(|char| char.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_other_names() {
        for (one, other, expected) in [
            ("inputDir", "inputdir", true),
            ("input_dir", "inputDir", true),
            ("input-dir", "input_dir", true),
            ("day", "days", true),
            ("input", "inputs", true),
            ("outputPath", "outptuPath", true),
            ("outputPath", "outputPth", true),
            ("outputPath", "ooutputPath", true),
            ("table1", "table2", false),
            ("table", "table1", false),
            ("ab", "abc", false),
            ("ab", "ba", false),
            ("rows", "rosw", true),
            ("abc", "acb", false),
            ("start", "stop", false),
            ("startDate", "endDate", false),
            ("minDate", "maxDate", false),
            ("x", "X", true),
            ("a", "a", false),
            ("", "-", false),
        ] {
            assert_eq!(is_slip(one, other), expected, "{one} {other}");
            assert_eq!(is_slip(other, one), expected, "{other} {one}");
        }
    }
}
