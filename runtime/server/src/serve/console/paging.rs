//! Lists in pages, and the days of their filters.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde_json::{Value, json};

use crate::serve::failure::Failure;

pub(crate) const DAY: i64 = 86_400_000;

/// The midnight, in UTC, at which the day `2026-11-28` begins.
///
/// # Errors
///
/// 400 if it is no day.
pub(crate) fn midnight(text: &str) -> Result<DateTime<Utc>, Failure> {
    let date: NaiveDate = text
        .parse()
        .map_err(|_| Failure::argument(format!("{text} is no day such as 2026-11-28")))?;
    Ok(date.and_time(NaiveTime::MIN).and_utc())
}

/// The milliseconds since 1970 from the first to the last of two days, which may be empty.
///
/// # Errors
///
/// 400 if one is no day.
pub(crate) fn days(first: &str, last: &str) -> Result<(Option<i64>, Option<i64>), Failure> {
    let begin = |text: &str| match text.is_empty() {
        true => Ok(None),
        false => midnight(text).map(|time| Some(time.timestamp_millis())),
    };
    Ok((begin(first)?, begin(last)?.map(|it| it + DAY - 1)))
}

/// The parameter for a page; empty for the first one, which needs none.
pub(crate) fn offset(from: usize) -> String {
    match from {
        0 => String::new(),
        from => from.to_string(),
    }
}

/// A page of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    /// Rows before it.
    pub(crate) from: usize,
    /// The most rows on it.
    pub(crate) most: usize,
    /// Rows of all pages.
    pub(crate) n_found: usize,
}

impl Page {
    /// Adds to the values of a template which rows these are, and the addresses of the pages before and after, which `address` makes of the
    /// rows before them.
    pub(crate) fn put(self, values: &mut Value, address: impl Fn(usize) -> String) {
        let Page {
            from,
            most,
            n_found,
        } = self;
        let to = from.saturating_add(most).min(n_found);
        values["n_found"] = json!(n_found);
        values["first"] = json!(from.saturating_add(1).min(n_found));
        values["to"] = json!(to);
        values["before"] = json!((from > 0).then(|| address(from.saturating_sub(most))));
        values["after"] = json!((to < n_found).then(|| address(to)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_leads_to_its_neighbours() {
        for (from, n_found, expected) in [
            (0, 0, r#"[0,0,null,null]"#),
            (0, 10, r#"[1,10,null,null]"#),
            (0, 11, r#"[1,10,null,"10"]"#),
            (10, 25, r#"[11,20,"0","20"]"#),
            (15, 25, r#"[16,25,"5",null]"#),
            (usize::MAX, 25, r#"[25,25,"18446744073709551605",null]"#),
        ] {
            let mut values = json!({});
            let page = Page {
                from,
                most: 10,
                n_found,
            };
            page.put(&mut values, |from| from.to_string());
            let shown = ["first", "to", "before", "after"].map(|name| values[name].clone());
            assert_eq!(json!(shown).to_string(), expected, "{from} of {n_found}");
        }
    }

    #[test]
    fn a_last_day_is_whole() {
        assert_eq!(
            days("1970-01-02", "1970-01-02").unwrap(),
            (Some(DAY), Some(2 * DAY - 1))
        );
        assert_eq!(days("", "").unwrap(), (None, None));
        for text in ["1970-02-30", "today", "275760-09-13"] {
            assert!(days(text, "").is_err(), "{text}");
        }
    }
}
