//! Every command with every option, for every kind and state of job, with every program: a refused command changes nothing and
//! leaves no process behind, `--dry-run` changes nothing, and its output matches what then happens.
//!
//! In addition `HPDLC_COMMANDS` random command lines are run, generated from `HPDLC_COMMANDS_SEED`.

use serde_json::Value;

use self::{
    folder::{ModelJobKind, ProgramFolder, SubmittedJob, contents, processes},
    model::{COMMANDS, Command, ExpectedVerdict, OptionChoice, fits, verdict},
};
use crate::harness::{Ended, World, text};

mod folder;
mod model;
mod shown;

/// Number of random lines by default.
const N_LINES: u64 = 80;

/// A number from an environment variable.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Deterministic pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let limit = u64::try_from(limit).expect("small").max(1);
        usize::try_from((mixed ^ (mixed >> 31)) % limit).expect("small")
    }
}

/// Runs a command; if it was refused or a dry run, it must have changed nothing.
fn type_line(folder: &ProgramFolder, world: &World, words: &[&str], before: &str) -> Ended {
    let ended = world.call(words);
    let is_refused = ended.code == Some(2);
    let only_says = words.contains(&"--dry-run");
    if is_refused || only_says {
        let left = processes(folder.home());
        assert!(left.is_empty(), "{words:?} has left {left:?}");
        let after = contents(folder.home());
        assert!(
            after == before,
            "{words:?} was refused, or a dry run, and has changed: {}\n{}",
            difference(before, &after),
            ended.stderr
        );
    }
    let is_known = matches!(ended.code, Some(0..=4 | 6));
    assert!(is_known, "{words:?}: {ended:?}");
    if is_refused {
        assert!(
            ended.stderr.starts_with("error: "),
            "{words:?} was refused without a reason: {ended:?}"
        );
    }
    ended
}

fn difference(before: &str, after: &str) -> String {
    let missing = |of: &str, in_text: &str| -> Vec<String> {
        let there: std::collections::BTreeSet<&str> = in_text.lines().collect();
        let lines = of.lines().filter(|line| !there.contains(line));
        lines.map(str::to_owned).collect()
    };
    format!(
        "-{:#?}\n+{:#?}",
        missing(before, after),
        missing(after, before)
    )
}

/// No choice, every single one, and pairs that both apply to the job; those that do not apply, also with `--dry-run`.
/// All others are covered by random lines.
fn sets(command: &'static Command, job: &SubmittedJob) -> Vec<Vec<&'static OptionChoice>> {
    let mut sets = vec![Vec::new()];
    for (n, first) in command.choices.iter().enumerate() {
        sets.push(vec![first]);
        for second in &command.choices[n + 1..] {
            let is_said = first.words == ["--dry-run"];
            if is_said || (fits(first, job) && fits(second, job)) {
                sets.push(vec![first, second]);
            }
        }
    }
    sets
}

fn line<'a>(
    command: &Command,
    job: &'a SubmittedJob,
    choices: &[&'a OptionChoice],
) -> Vec<&'a str> {
    let word = match command.word {
        "start" => "start",
        "suspend" => "suspend",
        "resume" => "resume",
        "kill" => "kill",
        "rerun" => "rerun",
        "change" => "change",
        "update" => "update",
        _ => "ignore",
    };
    let mut words = vec![word, job.id.as_str()];
    for choice in choices {
        words.extend(choice.words);
    }
    words
}

/// The program that usually controls the job.
fn own<'f>(folder: &'f ProgramFolder, job: &SubmittedJob) -> &'f World {
    match job.kind {
        ModelJobKind::Workflow | ModelJobKind::Child => &folder.workflow,
        ModelJobKind::Coordinator | ModelJobKind::OfAction => &folder.coordinator,
        ModelJobKind::Bundle => &folder.bundle,
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let folder = ProgramFolder::new();
    let before = contents(folder.home());
    let mut n_lines = 0;
    let mut taken = Vec::new();
    for job in folder.one_of_each() {
        for command in COMMANDS {
            for choices in sets(command, job) {
                let words = line(command, job, &choices);
                let expected = verdict(command, &choices, job);
                if expected != ExpectedVerdict::Refused {
                    taken.push((job, command, choices));
                    continue;
                }
                n_lines += 1;
                // Whichever program is used.
                let world = match n_lines % 3 {
                    0 => &folder.workflow,
                    1 => &folder.coordinator,
                    _ => &folder.bundle,
                };
                let ended = type_line(&folder, world, &words, &before);
                assert_eq!(ended.code, Some(2), "{words:?} of {job:?}: {ended:?}");
            }
        }
    }
    println!("{n_lines} refused");
    let mut n_taken = 0;
    for (job, command, choices) in taken {
        // Other results are covered by other tests; here one of each kind is enough.
        let is_rerun = command.word == "rerun";
        if choices.len() > usize::from(is_rerun) + 1 || job.status == "RUNNING" {
            continue;
        }
        let words = line(command, job, &choices);
        let expected = verdict(command, &choices, job);
        if is_rerun && !words.contains(&"--dry-run") {
            let (ended, is_taken) = rerun(&folder, job, &words, &before);
            let fits = is_taken || expected == ExpectedVerdict::Open;
            assert!(fits, "{words:?} of {job:?}: {ended:?}");
            n_taken += u64::from(is_taken);
            continue;
        }
        let world = own(&folder, job);
        let only_says = words.contains(&"--dry-run");
        let said = (command.word == "update" && !only_says).then(|| {
            let mut only_said = words.clone();
            only_said.push("--dry-run");
            type_line(&folder, world, &only_said, &before).stdout
        });
        let ended = type_line(&folder, world, &words, &before);
        let fits = ended.code == Some(0) || expected == ExpectedVerdict::Open;
        assert!(fits, "{words:?} of {job:?}: {ended:?}");
        if let Some(said) = said {
            // The difference of the dry run is the one that was made.
            assert_eq!(said, ended.stdout, "{words:?} of {job:?}");
        }
        if ended.code == Some(0) && !only_says {
            n_taken += 1;
            folder.put_back();
        }
    }
    println!("{n_taken} taken");
}

/// Runs a dry run of a rerun, then the rerun, and compares; returns whether it was accepted.
fn rerun(
    folder: &ProgramFolder,
    job: &SubmittedJob,
    words: &[&str],
    before: &str,
) -> (Ended, bool) {
    let world = own(folder, job);
    let mut only_said = words.to_vec();
    only_said.push("--dry-run");
    let said = type_line(folder, world, &only_said, before);
    let ended = type_line(folder, world, words, before);
    assert_eq!(
        said.code == Some(0),
        ended.code == Some(0),
        "{words:?}: {said:?} {ended:?}"
    );
    if ended.code != Some(0) {
        return (ended, false);
    }
    folder.await_quiet();
    check_said(world, job, words, &said.stdout);
    folder.put_back();
    (ended, true)
}

/// Checks that what a dry run announced has happened.
fn check_said(world: &World, job: &SubmittedJob, words: &[&str], said: &str) {
    let mut id = job.id.clone();
    let mut info = world.info(&id);
    for line in said.lines() {
        let parts: Vec<&str> = line.split_whitespace().collect();
        match parts.as_slice() {
            [
                "action",
                _,
                _,
                _,
                "workflow",
                workflow,
                "runs",
                "again",
                "as",
                "run",
                run,
            ] => {
                id = (*workflow).to_owned();
                info = world.info(&id);
                assert_eq!(info["run"].to_string(), *run, "{words:?}: {said}");
            }
            ["action", number, _, _, "gets", "a", "new", "workflow"] => {
                // The workflow's number is not known in advance.
                assert!(!number.is_empty());
            }
            ["delete", path] => {
                let is_there = std::path::Path::new(path).exists();
                assert!(!is_there, "{words:?}: {path} is still there");
            }
            ["skip", name, ..] => {
                if let Some(node) = find(&info, name) {
                    assert_eq!(node["skipped"], true, "{words:?}: {said}\n{info:#}");
                }
            }
            ["run", name, ..] => {
                let node = find(&info, name);
                let node =
                    node.unwrap_or_else(|| panic!("{words:?}: {name} did not run: {info:#}"));
                assert_eq!(node["skipped"], false, "{words:?}: {said}\n{info:#}");
                assert_eq!(node["run"], info["run"], "{words:?}: {said}\n{info:#}");
            }
            _ => {}
        }
    }
}

fn find<'a>(info: &'a Value, name: &str) -> Option<&'a Value> {
    let actions = info["actions"].as_array()?;
    actions.iter().find(|action| text(&action["name"]) == name)
}

#[test]
fn random_command_lines_keep_the_rules() {
    let seed = number("HPDLC_COMMANDS_SEED").unwrap_or(11);
    let n_lines = number("HPDLC_COMMANDS").unwrap_or(N_LINES);
    let folder = ProgramFolder::new();
    let before = contents(folder.home());
    let mut random = Random(seed);
    let (mut n_refused, mut n_taken) = (0, 0);
    for n in 0..n_lines {
        let job = &folder.jobs[random.below(folder.jobs.len())];
        let command = &COMMANDS[random.below(COMMANDS.len())];
        let mut choices: Vec<&OptionChoice> = Vec::new();
        for _ in 0..random.below(4).min(command.choices.len()) {
            // Options of other commands, too.
            let others = &COMMANDS[random.below(COMMANDS.len())];
            let from = match random.below(4) {
                0 if !others.choices.is_empty() => others,
                _ => command,
            };
            if !from.choices.is_empty() {
                choices.push(&from.choices[random.below(from.choices.len())]);
            }
        }
        let world = match random.below(4) {
            0 => &folder.workflow,
            1 => &folder.coordinator,
            2 => &folder.bundle,
            _ => own(&folder, job),
        };
        let words = line(command, job, &choices);
        println!(
            "{n} of seed {seed}: {words:?} {} {:?}",
            job.status, job.kind
        );
        let ended = type_line(&folder, world, &words, &before);
        if ended.code == Some(2) {
            n_refused += 1;
        } else if !words.contains(&"--dry-run") {
            n_taken += 1;
            folder.put_back();
        }
    }
    println!("{n_refused} refused, {n_taken} taken");
}
