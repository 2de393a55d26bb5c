//! Values that have a text: arguments of actions, and fields of their data.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Display,
    hash::BuildHasher,
    path::PathBuf,
    str::FromStr,
    time::Duration,
};

use hpdlc_core::el::value::Value as ElValue;
use hpdlc_files::Uri;
use serde::{Serialize, de::DeserializeOwned};

use super::json;

/// A value that workflows see as a text. Lists and maps are JSON, `None` is absent.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no text that a workflow could see",
    label = "neither a text, a number, a `bool`, a list of such, nor an enum with `#[derive(Data)]`",
    note = "`#[data(json)]` above a field of a type with serde's `Serialize` and `Deserialize` makes it JSON"
)]
pub trait Value: Sized {
    /// The text; `None` if it is absent.
    ///
    /// # Errors
    ///
    /// It cannot be JSON.
    fn to_text(&self) -> Result<Option<String>, String>;

    /// The value in an expression: its text, unless it is a number or a boolean there too.
    ///
    /// # Errors
    ///
    /// As [`Value::to_text`].
    fn to_expression(&self) -> Result<ElValue, String> {
        let text = self.to_text()?;
        Ok(text.map_or(ElValue::Null, ElValue::Text))
    }

    /// The value of a text, or of its absence.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn of_text(text: Option<&str>) -> Result<Self, String>;

    /// The value of an argument, which is never absent: expressions give an empty text for what is missing.
    ///
    /// # Errors
    ///
    /// As [`Value::of_text`].
    fn of_argument(text: &str) -> Result<Self, String> {
        Self::of_text(Some(text))
    }
}

/// A type as a text, both ways.
#[doc(hidden)]
pub struct Texts<T> {
    pub to: fn(&T) -> Result<Option<String>, String>,
    pub from: fn(Option<&str>) -> Result<T, String>,
}

/// Those of a type.
#[doc(hidden)]
pub fn texts<T: Value>() -> Texts<T> {
    Texts {
        to: T::to_text,
        from: T::of_text,
    }
}

/// The text, if it is not absent.
pub(super) fn present(text: Option<&str>) -> Result<&str, String> {
    text.ok_or_else(|| "it is missing".to_owned())
}

fn parsed<T: FromStr<Err: Display>>(text: Option<&str>, name: &str) -> Result<T, String> {
    let text = present(text)?.trim();
    text.parse()
        .map_err(|problem| format!("`{text}` is no {name}: {problem}"))
}

/// Types whose texts are those of [`Display`] and [`FromStr`], without blanks around them.
macro_rules! scalars {
    ($expression:expr => $($type:ident)*) => {
        $(impl Value for $type {
                    fn to_text(&self) -> Result<Option<String>, String> {
                Ok(Some(self.to_string()))
            }

            fn to_expression(&self) -> Result<ElValue, String> {
                let expression: fn($type) -> ElValue = $expression;
                Ok(expression(*self))
            }

            fn of_text(text: Option<&str>) -> Result<$type, String> {
                parsed(text, stringify!($type))
            }
        })*
    };
}

scalars!(whole => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
scalars!(ElValue::Double => f64);
// Its digits are others as a double.
scalars!(|it| ElValue::Text(it.to_string()) => f32);
scalars!(ElValue::Bool => bool);

/// A whole number, as a text where the expression language has no such number.
fn whole<T: Copy + Display>(number: T) -> ElValue
where
    i64: TryFrom<T>,
{
    match i64::try_from(number) {
        Ok(number) => ElValue::Long(number),
        Err(_) => ElValue::Text(number.to_string()),
    }
}

impl Value for String {
    fn to_text(&self) -> Result<Option<String>, String> {
        Ok(Some(self.clone()))
    }

    fn of_text(text: Option<&str>) -> Result<String, String> {
        present(text).map(str::to_owned)
    }
}

impl Value for char {
    fn to_text(&self) -> Result<Option<String>, String> {
        Ok(Some(self.to_string()))
    }

    fn of_text(text: Option<&str>) -> Result<char, String> {
        let text = present(text)?;
        text.parse()
            .map_err(|problem| format!("`{text}` is no char: {problem}"))
    }
}

impl Value for PathBuf {
    /// A path that is not valid UTF-8 is shown with replacement characters.
    fn to_text(&self) -> Result<Option<String>, String> {
        Ok(Some(self.to_string_lossy().into_owned()))
    }

    /// A `file:` URI, as datasets give them, is its path on this machine. No path leads to a URI of another scheme.
    fn of_text(text: Option<&str>) -> Result<PathBuf, String> {
        let text = present(text)?;
        match Uri::parse(text) {
            Uri {
                scheme: Some("file"),
                ..
            } => hpdlc_files::local_path(text).map_err(|problem| problem.to_string()),
            Uri {
                scheme: Some(_),
                authority: Some(_),
                ..
            } => Err(format!(
                "`{text}` is no path on this machine: a `String` takes it as it is"
            )),
            _ => Ok(PathBuf::from(text)),
        }
    }
}

/// The units of a duration, largest first, in seconds.
const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// A whole number and a unit: `90s`, `15m`, `2h`, `1d`.
impl Value for Duration {
    /// Parts of a second are not written.
    fn to_text(&self) -> Result<Option<String>, String> {
        let seconds = self.as_secs();
        let whole = |&&(_, length): &&(char, u64)| seconds > 0 && seconds.is_multiple_of(length);
        let (unit, length) = UNITS.iter().find(whole).copied().unwrap_or(('s', 1));
        Ok(Some(format!("{}{unit}", seconds / length)))
    }

    fn of_text(text: Option<&str>) -> Result<Duration, String> {
        let text = present(text)?.trim();
        let parts = UNITS.iter().find_map(|&(unit, length)| {
            let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
            number.checked_mul(length)
        });
        parts.map(Duration::from_secs).ok_or_else(|| {
            format!("`{text}` is no duration: it is a whole number with `s`, `m`, `h` or `d`, such as `90s`")
        })
    }
}

impl<T: Value> Value for Option<T> {
    fn to_text(&self) -> Result<Option<String>, String> {
        self.as_ref().map_or(Ok(None), T::to_text)
    }

    fn to_expression(&self) -> Result<ElValue, String> {
        self.as_ref().map_or(Ok(ElValue::Null), T::to_expression)
    }

    fn of_text(text: Option<&str>) -> Result<Option<T>, String> {
        text.map(|text| T::of_text(Some(text))).transpose()
    }

    fn of_argument(text: &str) -> Result<Option<T>, String> {
        Self::of_text(Some(text).filter(|text| !text.is_empty()))
    }
}

/// Types whose texts are JSON.
macro_rules! as_json {
    ($([$($parameter:tt)*] $type:ty;)*) => {
        // So that the message is about the list, and not about serde.
        $(#[diagnostic::do_not_recommend]
        impl<$($parameter)*> Value for $type {
            fn to_text(&self) -> Result<Option<String>, String> {
                json::text(self).map(Some)
            }

            fn of_text(text: Option<&str>) -> Result<Self, String> {
                json::value(text)
            }
        })*
    };
}

as_json! {
    [T: Serialize + DeserializeOwned] Vec<T>;
    [T: Serialize + DeserializeOwned] BTreeMap<String, T>;
    [T: Serialize + DeserializeOwned, S: BuildHasher + Default] HashMap<String, T, S>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T: Value + PartialEq + std::fmt::Debug>(value: T, text: Option<&str>) {
        assert_eq!(value.to_text(), Ok(text.map(str::to_owned)));
        assert_eq!(T::of_text(text), Ok(value));
    }

    #[test]
    fn values_have_texts_and_are_read_from_them() {
        check(7_u64, Some("7"));
        check(-7_i8, Some("-7"));
        check(0.5_f64, Some("0.5"));
        check(true, Some("true"));
        check(" a b ".to_owned(), Some(" a b "));
        check(PathBuf::from("/a"), Some("/a"));
        check(Duration::from_secs(90), Some("90s"));
        check(Duration::from_secs(7_200), Some("2h"));
        check(Duration::ZERO, Some("0s"));
        check(None::<u64>, None);
        check(Some(String::new()), Some(""));
        check(vec!["a".to_owned(), "b".to_owned()], Some(r#"["a","b"]"#));
        check(
            BTreeMap::from([("a".to_owned(), vec![1])]),
            Some(r#"{"a":[1]}"#),
        );
    }

    #[test]
    fn numbers_may_have_blanks_around_them_and_nothing_else() {
        assert_eq!(u64::of_text(Some(" 7\n")), Ok(7));
        let refused = [
            u64::of_text(Some("7.5")),
            u64::of_text(Some("")),
            u64::of_text(None),
        ];
        assert!(refused.iter().all(Result::is_err), "{refused:?}");
    }

    #[test]
    fn a_duration_has_a_whole_number_and_a_unit() {
        for wrong in [
            "90",
            "s",
            "1.5h",
            "1h30m",
            "-1s",
            "1 h",
            "99999999999999999d",
        ] {
            assert!(Duration::of_text(Some(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(
            Duration::of_text(Some(" 15m ")),
            Ok(Duration::from_secs(900))
        );
    }

    #[test]
    fn a_path_may_be_written_as_a_file_uri() {
        for (text, path) in [
            ("file:///in/a b", "/in/a b"),
            ("file:/in", "/in"),
            ("/in/2026", "/in/2026"),
            ("in/2026-01-01T00:00Z", "in/2026-01-01T00:00Z"),
            ("a:b", "a:b"),
        ] {
            assert_eq!(PathBuf::of_text(Some(text)), Ok(PathBuf::from(path)));
        }
        for (text, cause) in [
            ("hdfs://nn/in", "no path on this machine"),
            ("file://other/in", "is not this machine"),
        ] {
            let refused = PathBuf::of_text(Some(text)).unwrap_err();
            assert!(refused.contains(cause), "{refused}");
        }
    }

    #[test]
    fn an_empty_argument_is_none() {
        assert_eq!(Option::<u64>::of_argument(""), Ok(None));
        assert_eq!(Option::<u64>::of_argument("7"), Ok(Some(7)));
        assert!(u64::of_argument("").is_err());
    }
}
