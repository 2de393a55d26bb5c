//! The statistics of a script: what Pig prints of them at its end, with the counters of its jobs, in Oozie's format
//! (`OoziePigStats`). Every value is a text.
//!
//! Oozie uses Pig's API. Here Pig's output is parsed, so that of Pig's own numbers only those that it prints are available.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::tool::yarn::Counters;

/// The columns of Pig's table of scripts, with Oozie's names.
const OF_SCRIPT: [(&str, &str); 3] = [
    ("HadoopVersion", "HADOOP_VERSION"),
    ("PigVersion", "PIG_VERSION"),
    ("Features", "FEATURES"),
];

/// The lines below `Counters:`.
const TOTALS: [(&str, &str); 5] = [
    ("Total records written", "RECORD_WRITTEN"),
    ("Total bytes written", "BYTES_WRITTEN"),
    ("Spillable Memory Manager spill count", "SMM_SPILL_COUNT"),
    (
        "Total bags proactively spilled",
        "PROACTIVE_SPILL_COUNT_OBJECTS",
    ),
    (
        "Total records proactively spilled",
        "PROACTIVE_SPILL_COUNT_RECORDS",
    ),
];

/// The columns of the table of jobs.
const OF_JOB: [(&str, &str); 12] = [
    ("Maps", "NUMBER_MAPS"),
    ("Reduces", "NUMBER_REDUCES"),
    ("MaxMapTime", "MAX_MAP_TIME"),
    ("MinMapTime", "MIN_MAP_TIME"),
    ("AvgMapTime", "AVG_MAP_TIME"),
    ("MedianMapTime", "MEDIAN_MAP_TIME"),
    ("MaxReduceTime", "MAX_REDUCE_TIME"),
    ("MinReduceTime", "MIN_REDUCE_TIME"),
    ("AvgReduceTime", "AVG_REDUCE_TIME"),
    ("MedianReducetime", "MEDIAN_REDUCE_TIME"),
    ("Alias", "Alias"),
    ("Feature", "FEATURE"),
];

/// The counters of a job that get names of their own.
const COUNTED: [(&str, &str, &str); 5] = [
    (TASKS, "MAP_INPUT_RECORDS", "MAP_INPUT_RECORDS"),
    (TASKS, "MAP_OUTPUT_RECORDS", "MAP_OUTPUT_RECORDS"),
    (TASKS, "REDUCE_INPUT_RECORDS", "REDUCE_INPUT_RECORDS"),
    (TASKS, "REDUCE_OUTPUT_RECORDS", "REDUCE_OUTPUT_RECORDS"),
    (
        "org.apache.hadoop.mapreduce.FileSystemCounter",
        "HDFS_BYTES_WRITTEN",
        "HDFS_BYTES_WRITTEN",
    ),
];

const TASKS: &str = "org.apache.hadoop.mapreduce.TaskCounter";

/// The statistics as JSON. `words` is Pig's output; the jobs are in their order.
pub fn of(words: &str, jobs: &[(String, Counters)]) -> String {
    let mut all = Map::new();
    let mut set = |name: &str, value: &str| all.insert(name.to_owned(), value.into());
    set("ACTION_TYPE", "PIG");
    set("RETURN_CODE", "0");
    if let Some(milliseconds) = duration(words) {
        set("DURATION", milliseconds);
    }
    for row in table(words, "HadoopVersion\t") {
        for (column, name) in OF_SCRIPT {
            if let Some(value) = row.get(column) {
                set(name, value);
            }
        }
    }
    for (line, name) in TOTALS {
        let value = words
            .lines()
            .rev()
            .find_map(|it| it.trim().strip_prefix(line)?.trim().strip_prefix(':'));
        if let Some(value) = value {
            set(name, value.trim());
        }
    }
    let names: Vec<&str> = jobs.iter().map(|(job, _)| job.as_str()).collect();
    set("NUMBER_JOBS", &names.len().to_string());
    set("JOB_GRAPH", &names.join(","));
    let rows = table(words, "JobId\t");
    for (job, counters) in jobs {
        let row = rows
            .iter()
            .find(|row| row.get("JobId").is_some_and(|id| id == job));
        all.insert(job.clone(), of_job(row, counters));
    }
    Value::Object(all).to_string()
}

fn of_job(row: Option<&BTreeMap<&str, &str>>, counters: &Counters) -> Value {
    let mut all = Map::new();
    for (column, name) in OF_JOB {
        if let Some(value) = row.and_then(|row| row.get(column)) {
            all.insert(name.to_owned(), (*value).into());
        }
    }
    for (group, counter, name) in COUNTED {
        if let Some(value) = counters.get(group).and_then(|group| group.get(counter)) {
            all.insert(name.to_owned(), value.to_string().into());
        }
    }
    let groups: Map<String, Value> = counters
        .iter()
        .map(|(name, group)| {
            let texts = group
                .iter()
                .map(|(name, value)| (name.clone(), value.to_string().into()));
            (name.clone(), Value::Object(texts.collect()))
        })
        .collect();
    all.insert("HADOOP_COUNTERS".to_owned(), Value::Object(groups));
    Value::Object(all)
}

/// The rows of the last table whose header starts with `beginning`: values by column, up to an empty line.
fn table<'a>(words: &'a str, beginning: &str) -> Vec<BTreeMap<&'a str, &'a str>> {
    let lines: Vec<&str> = words.lines().collect();
    let Some(at) = lines.iter().rposition(|line| line.starts_with(beginning)) else {
        return Vec::new();
    };
    let columns: Vec<&str> = lines[at].split('\t').collect();
    lines[at + 1..]
        .iter()
        .take_while(|line| !line.trim().is_empty())
        .map(|line| columns.iter().copied().zip(line.split('\t')).collect())
        .collect()
}

/// `Pig script completed in 32 seconds and 72 milliseconds (32072 ms)`
fn duration(words: &str) -> Option<&str> {
    let line = words
        .lines()
        .rfind(|line| line.contains("Pig script completed in "))?;
    line.rsplit_once('(')?.1.strip_suffix(" ms)")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "INFO SimplePigStats  - Script Statistics: \n\n\
        HadoopVersion\tPigVersion\tUserId\tStartedAt\tFinishedAt\tFeatures\n\
        3.4.2\t0.18.0\tann\t2026-11-23 05:10:59\t2026-11-23 05:11:28\tGROUP_BY\n\n\
        Success!\n\n\
        Job Stats (time in seconds):\n\
        JobId\tMaps\tReduces\tMaxMapTime\tMinMapTime\tAvgMapTime\tMedianMapTime\tMaxReduceTime\tMinReduceTime\tAvgReduceTime\tMedianReducetime\tAlias\tFeature\tOutputs\n\
        job_1_0006\t1\t2\t4\t3\t3\t3\t7\t6\t6\t6\tcounts,lines\tGROUP_BY,COMBINER\t/tmp/out,\n\n\
        Counters:\n\
        Total records written : 2\n\
        Total bytes written : 8\n\
        Spillable Memory Manager spill count : 0\n\
        Total bags proactively spilled: 5\n\
        Total records proactively spilled: 6\n\n\
        INFO  org.apache.pig.Main  - Pig script completed in 32 seconds and 72 milliseconds (32072 ms)\n";

    #[test]
    fn what_pig_prints_has_the_names_of_oozie() {
        let counters: Counters = [(
            TASKS.to_owned(),
            [("MAP_INPUT_RECORDS".to_owned(), 2)].into(),
        )]
        .into();
        let jobs = [
            ("job_1_0006".to_owned(), counters),
            ("job_1_0007".to_owned(), Counters::new()),
        ];
        let found: Value = serde_json::from_str(&of(WORDS, &jobs)).unwrap();
        let expected = serde_json::json!({
            "ACTION_TYPE": "PIG",
            "BYTES_WRITTEN": "8",
            "DURATION": "32072",
            "FEATURES": "GROUP_BY",
            "HADOOP_VERSION": "3.4.2",
            "JOB_GRAPH": "job_1_0006,job_1_0007",
            "NUMBER_JOBS": "2",
            "PIG_VERSION": "0.18.0",
            "PROACTIVE_SPILL_COUNT_OBJECTS": "5",
            "PROACTIVE_SPILL_COUNT_RECORDS": "6",
            "RECORD_WRITTEN": "2",
            "RETURN_CODE": "0",
            "SMM_SPILL_COUNT": "0",
            "job_1_0006": {
                "AVG_MAP_TIME": "3",
                "AVG_REDUCE_TIME": "6",
                "Alias": "counts,lines",
                "FEATURE": "GROUP_BY,COMBINER",
                "HADOOP_COUNTERS": { TASKS: { "MAP_INPUT_RECORDS": "2" } },
                "MAP_INPUT_RECORDS": "2",
                "MAX_MAP_TIME": "4",
                "MAX_REDUCE_TIME": "7",
                "MEDIAN_MAP_TIME": "3",
                "MEDIAN_REDUCE_TIME": "6",
                "MIN_MAP_TIME": "3",
                "MIN_REDUCE_TIME": "6",
                "NUMBER_MAPS": "1",
                "NUMBER_REDUCES": "2",
            },
            "job_1_0007": { "HADOOP_COUNTERS": {} },
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn pig_that_says_nothing_has_few() {
        let found: Value = serde_json::from_str(&of("", &[])).unwrap();
        let expected = serde_json::json!({
            "ACTION_TYPE": "PIG", "JOB_GRAPH": "", "NUMBER_JOBS": "0", "RETURN_CODE": "0",
        });
        assert_eq!(found, expected);
    }
}
