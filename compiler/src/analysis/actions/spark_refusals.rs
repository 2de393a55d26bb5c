//! Words of `spark-opts` with which `spark-submit` ends at once.

use crate::{diagnostics::nearest, lints::refused_spark_options::SparkRefusal};

/// Options with a value (`SparkSubmitOptionParser`).
const WITH_VALUE: [&str; 30] = [
    "--archives",
    "--class",
    "--conf",
    "--deploy-mode",
    "--driver-class-path",
    "--driver-cores",
    "--driver-default-class-path",
    "--driver-java-options",
    "--driver-library-path",
    "--driver-memory",
    "--exclude-packages",
    "--executor-cores",
    "--executor-memory",
    "--files",
    "--jars",
    "--keytab",
    "--kill",
    "--master",
    "--name",
    "--num-executors",
    "--packages",
    "--principal",
    "--properties-file",
    "--proxy-user",
    "--py-files",
    "--queue",
    "--remote",
    "--repositories",
    "--status",
    "--total-executor-cores",
];

/// Options without one.
const SWITCHES: [&str; 6] = [
    "--help",
    "--load-spark-defaults",
    "--supervise",
    "--usage-error",
    "--verbose",
    "--version",
];

const NUMBERS: [&str; 4] = [
    "--driver-cores",
    "--executor-cores",
    "--num-executors",
    "--total-executor-cores",
];

const SIZES: [&str; 2] = ["--driver-memory", "--executor-memory"];

/// What Spark needs besides what it reserves (`UnifiedMemoryManager`).
const LEAST_BYTES: u64 = 450 << 20;

/// The first of the words that is refused: its place among them, the option, and why. Values with expressions may be right.
pub(super) fn first(words: &[String]) -> Option<(usize, String, SparkRefusal)> {
    let mut at = 0;
    while let Some(option) = words.get(at) {
        let value = words.get(at + 1).filter(|next| !next.starts_with("--"));
        let found = |at: usize, problem| Some((at, option.clone(), problem));
        if !WITH_VALUE.contains(&option.as_str()) {
            if !SWITCHES.contains(&option.as_str()) {
                let all = || WITH_VALUE.into_iter().chain(SWITCHES);
                let meant = nearest(option, all());
                let meant = all().find(|known| Some(*known) == meant);
                return found(at, SparkRefusal::Unknown(meant));
            }
            if let Some(word) = value.filter(|word| !word.contains("${")) {
                return found(at + 1, SparkRefusal::Stray(word.clone()));
            }
            at += 1 + usize::from(value.is_some());
            continue;
        }
        let Some(value) = value else {
            return found(at, SparkRefusal::NoValue);
        };
        if !value.contains("${")
            && let Some(problem) = refused_value(option, value)
        {
            return found(at + 1, problem);
        }
        at += 2;
    }
    None
}

fn refused_value(option: &str, value: &str) -> Option<SparkRefusal> {
    if NUMBERS.contains(&option) && value.parse::<u32>().is_err() {
        return Some(SparkRefusal::NoNumber(value.to_owned()));
    }
    if !SIZES.contains(&option) {
        return None;
    }
    match bytes(value) {
        None => Some(SparkRefusal::NoSize(value.to_owned())),
        Some(bytes) if bytes < LEAST_BYTES => Some(SparkRefusal::TooSmall(value.to_owned())),
        Some(_) => None,
    }
}

/// A size as Spark reads it (`JavaUtils.byteStringAs`): without a unit, megabytes.
fn bytes(text: &str) -> Option<u64> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "b" => 0,
        "k" | "kb" => 10,
        "" | "m" | "mb" => 20,
        "g" | "gb" => 30,
        "t" | "tb" => 40,
        "p" | "pb" => 50,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::{SparkRefusal as R, first};

    #[test]
    fn options_that_are_refused() {
        let text = |text: &str| text.to_owned();
        for (words, expected) in [
            (&["--num-executors", "4", "--conf", "spark.a=b"][..], None),
            (&["--verbose", "--queue", "q"], None),
            (&["--executor-memory", "${memory}"], None),
            (
                &["--executor-memory", "4G", "--driver-memory", "512m"],
                None,
            ),
            (&["--executor-memory", "2GB"], None),
            (
                &["--executor-memroy", "2g"],
                Some((0, R::Unknown(Some("--executor-memory")))),
            ),
            (&["--spark.yarn.queue", "q"], Some((0, R::Unknown(None)))),
            (&["--queue"], Some((0, R::NoValue))),
            (&["--queue", "--name", "x"], Some((0, R::NoValue))),
            (&["--verbose", "x"], Some((1, R::Stray(text("x"))))),
            (
                &["--num-executors", "4x"],
                Some((1, R::NoNumber(text("4x")))),
            ),
            (
                &["--executor-cores", "2 4"],
                Some((1, R::NoNumber(text("2 4")))),
            ),
            (
                &["--executor-memory", "1.5g"],
                Some((1, R::NoSize(text("1.5g")))),
            ),
            (
                &["--executor-memory", "2"],
                Some((1, R::TooSmall(text("2")))),
            ),
            (
                &["--driver-memory", "256m"],
                Some((1, R::TooSmall(text("256m")))),
            ),
            (&["--executor-memory", "4096"], None),
        ] {
            let owned: Vec<String> = words.iter().map(|word| text(word)).collect();
            let found = first(&owned).map(|(at, _, problem)| (at, problem));
            assert_eq!(found, expected, "{words:?}");
        }
    }
}
