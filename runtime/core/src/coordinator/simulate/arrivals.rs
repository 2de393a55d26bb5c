//! When the data of a simulated coordinator arrives.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};

use super::rules::{KeyedRules, LineError, date, duration, lines, times};
use crate::time::ProcessingZone;

/// When an instance arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceArrival {
    /// This long after its own time, or before it.
    After(Duration),
    At(DateTime<Utc>),
    Never,
}

/// When all instances arrive: each at its own time, unless a rule says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrivals {
    /// By dataset name; `*` applies to all of them.
    datasets: BTreeMap<String, KeyedRules<DateTime<Utc>, (usize, InstanceArrival)>>,
}

impl Arrivals {
    /// Parses one rule per line: a dataset or `*`, which instances (`*`, a time, or two with `::` between), and when they arrive:
    /// `+10m` after their time, `-1h` before it, a time, or `never`.
    ///
    /// # Errors
    ///
    /// The first line that is not a valid rule, or names none of `datasets`.
    pub fn parse(
        text: &str,
        datasets: &[&str],
        zone: ProcessingZone,
    ) -> Result<Arrivals, LineError> {
        let mut arrivals = Arrivals::default();
        for (line, words) in lines(text) {
            arrivals
                .read(line, &words, datasets, zone)
                .map_err(|message| LineError { line, message })?;
        }
        Ok(arrivals)
    }

    fn read(
        &mut self,
        line: usize,
        words: &[&str],
        datasets: &[&str],
        zone: ProcessingZone,
    ) -> Result<(), String> {
        let [dataset, which, when] = words else {
            return Err("expected `DATASET WHICH WHEN`, such as `logs * +10m`".to_owned());
        };
        if *dataset != "*" && !datasets.contains(dataset) {
            let known = match datasets {
                [] => "the coordinator has none as input".to_owned(),
                _ => format!("those of the inputs are {}", datasets.join(", ")),
            };
            return Err(format!("there is no dataset `{dataset}`: {known}"));
        }
        let arrival = match when.split_at_checked(1) {
            Some(("+", after)) => InstanceArrival::After(duration(after)?),
            Some(("-", before)) => InstanceArrival::After(-duration(before)?),
            _ if *when == "never" => InstanceArrival::Never,
            _ => InstanceArrival::At(date(when, zone)?),
        };
        let rules = self.datasets.entry((*dataset).to_owned()).or_default();
        rules.add(times(which, zone)?, (line, arrival));
        Ok(())
    }

    /// When an instance arrives; `None` if it never does.
    pub fn of(&self, dataset: &str, instance: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let rules = [dataset, "*"].map(|name| self.datasets.get(name));
        let rule = rules
            .into_iter()
            .flatten()
            .filter_map(|rules| rules.of(instance))
            .map(|(_, rule)| rule)
            .max_by_key(|(line, _)| *line);
        match rule.map(|(_, arrival)| arrival) {
            None => Some(instance),
            Some(InstanceArrival::After(after)) => instance.checked_add_signed(after),
            Some(InstanceArrival::At(time)) => Some(time),
            Some(InstanceArrival::Never) => None,
        }
    }
}
