//! What jobs require of their environment, as data and in words.

use std::collections::BTreeSet;

/// A requirement of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    Hdfs,
    ObjectStore,
    HCatalog,
    Yarn,
    Hive,
    HiveServer,
    Pig,
    Spark,
    Sqoop,
    Ssh,
    Mail,
    Web,
    Hadoop,
    LocalSpark,
    Java,
    Git,
}

/// What is certainly required, and what may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    pub certain: BTreeSet<Need>,
    /// Depends on properties, or on what started programs do.
    pub possible: BTreeSet<Need>,
}

impl Need {
    /// The name that follows "needs" in messages.
    pub fn name(self) -> &'static str {
        match self {
            Need::Hdfs => "HDFS",
            Need::ObjectStore => "an object store",
            Need::HCatalog => "HCatalog",
            Need::Yarn => "YARN",
            Need::Hive => "Hive",
            Need::HiveServer => "HiveServer2",
            Need::Pig => "Pig",
            Need::Spark | Need::LocalSpark => "Spark",
            Need::Sqoop => "Sqoop",
            Need::Ssh => "SSH hosts",
            Need::Mail => "a mail server",
            Need::Web => "a web service",
            Need::Hadoop => "Hadoop's tools",
            Need::Java => "Java",
            Need::Git => "Git",
        }
    }

    /// Whether it is a program of the local machine that involves no other machine.
    fn is_local(self) -> bool {
        match self {
            Need::Hadoop | Need::LocalSpark | Need::Java | Need::Git => true,
            Need::Hdfs
            | Need::ObjectStore
            | Need::HCatalog
            | Need::Yarn
            | Need::Hive
            | Need::HiveServer
            | Need::Pig
            | Need::Spark
            | Need::Sqoop
            | Need::Ssh
            | Need::Mail
            | Need::Web => false,
        }
    }
}

impl Needs {
    /// Adds the requirements of another document of the same application.
    pub fn add(&mut self, other: &Needs) {
        self.certain.extend(&other.certain);
        self.possible.extend(&other.possible);
    }

    /// Whether one machine is certain to suffice.
    pub fn is_one_machine(&self) -> bool {
        self.certain.iter().all(|need| need.is_local()) && self.perhaps().next().is_none()
    }

    fn perhaps(&self) -> impl Iterator<Item = Need> {
        self.possible.difference(&self.certain).copied()
    }

    /// `runs on one machine, with Java`, `needs HDFS, YARN and Hive`, `runs on one machine; may need HDFS`.
    pub fn words(&self) -> String {
        let mut text = if self.certain.iter().all(|need| need.is_local()) {
            let mut text = "runs on one machine".to_owned();
            if !self.certain.is_empty() {
                text.push_str(&format!(", with {}", list(self.certain.iter().copied())));
            }
            text
        } else {
            format!("needs {}", list(self.certain.iter().copied()))
        };
        if self.perhaps().next().is_some() {
            text.push_str(&format!("; may need {}", list(self.perhaps())));
        }
        text
    }
}

/// `HDFS, YARN and Hive`.
fn list(needs: impl Iterator<Item = Need>) -> String {
    let names: Vec<&str> = needs.map(Need::name).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}
