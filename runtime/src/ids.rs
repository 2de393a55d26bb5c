//! Job ids, in Oozie's form.

use chrono::{DateTime, Utc};

/// `0000001-261120093000123-hpdl-W`: a number, the time of creation to the millisecond, the system's name, the kind.
pub fn workflow_job(number: i64, created: DateTime<Utc>) -> String {
    format!("{number:07}-{}-hpdl-W", created.format("%y%m%d%H%M%S%3f"))
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    #[test]
    fn an_id_shows_number_and_time() {
        let time = Utc.with_ymd_and_hms(2026, 11, 20, 9, 30, 0).unwrap();
        let time = time + chrono::TimeDelta::milliseconds(123);
        assert_eq!(workflow_job(1, time), "0000001-261120093000123-hpdl-W");
        assert_eq!(
            workflow_job(12_345_678, time),
            "12345678-261120093000123-hpdl-W"
        );
    }
}
