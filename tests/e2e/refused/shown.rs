//! Commands that only show something, with every option, for a job of every kind in every state; and those that only change
//! something when told to.

use super::{
    folder::{ModelJobKind, ProgramFolder, SubmittedJob, contents},
    type_line,
};
use crate::harness::{Ended, World};

/// The jobs for which a line is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    All,
    Coordinators,
    /// It is refused for every job.
    None,
    /// Some states have nothing to show.
    Open,
}

/// Command lines; `JOB` stands for a job's id, `NUMBER` for its number and `FILE` for a file that does not exist.
const OF_A_JOB: &[(&str, For)] = &[
    ("info JOB", For::All),
    ("info NUMBER", For::All),
    ("info JOB --json", For::All),
    ("info JOB --nosuch", For::None),
    ("info JOB@1", For::Coordinators),
    ("info JOB@1 --json", For::Coordinators),
    ("info JOB@99", For::None),
    ("actions JOB", For::Coordinators),
    ("actions JOB --json", For::Coordinators),
    ("actions JOB --follow", For::None),
    ("log JOB", For::All),
    ("log JOB --tail 1", For::All),
    ("log JOB --tail -1", For::None),
    ("log JOB nosuch", For::None),
    ("log JOB u --tail 2", For::Open),
    ("log JOB a", For::Open),
    ("log JOB@1", For::Open),
    ("log JOB@99", For::None),
    ("timeline JOB", For::Open),
    ("timeline JOB -o FILE", For::Open),
    ("timeline JOB@99", For::None),
    ("graph JOB", For::Open),
    ("graph JOB --error-edges", For::Open),
    ("graph JOB -o FILE", For::Open),
    ("definition JOB", For::All),
    ("definition JOB --nosuch", For::None),
    ("watch JOB --nosuch", For::None),
    // Commands for other kinds.
    ("change JOB", For::None),
    ("change JOB --endtime yesterday", For::None),
    ("update JOB -Dmore", For::None),
    ("update JOB --dry-run", For::Coordinators),
    ("update JOB --dry-run -Dmore=1", For::Coordinators),
    ("ignore JOB --action x", For::None),
    ("rerun JOB --dry-run --wait", For::None),
    ("rerun JOB --dry-run --json", For::Open),
    ("rerun JOB --for-parent x", For::None),
    ("rerun JOB@99", For::None),
    ("rerun JOB@1 --action 1", For::None),
    ("rerun JOB@1 -Dmore=1", For::None),
    ("kill JOB@99", For::None),
    ("kill JOB@1 --action 1", For::None),
    ("ignore JOB@99", For::None),
    ("recover JOB --watch", For::None),
    ("start JOB --json", For::None),
    ("start JOB@99", For::None),
    ("resume JOB --json", For::None),
    ("suspend JOB --wait", For::None),
];

/// Whether a line without a job is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Good {
    Yes,
    No,
    /// For a coordinator; a bundle has several.
    Coordinator,
    /// For one coordinator of a bundle.
    Bundle,
}

const OF_NO_JOB: &[(&str, Good)] = &[
    ("jobs", Good::Yes),
    ("jobs --json -n 0", Good::Yes),
    (
        "jobs --status RUNNING,KILLED --since 1d --app w*",
        Good::Yes,
    ),
    ("jobs --status SINGING", Good::No),
    ("jobs --since never", Good::No),
    ("jobs -n -1", Good::No),
    ("info nosuch", Good::No),
    ("info 99999", Good::No),
    ("doctor --nosuch", Good::No),
    ("doctor --migrate --json extra", Good::No),
    ("purge", Good::No),
    ("purge --older-than yesterday", Good::No),
    ("purge --older-than 0d --dry-run", Good::Yes),
    ("purge --older-than 36500d --dry-run", Good::Yes),
    ("purge --dry-run", Good::No),
    ("purge --older-than 1d nosuch", Good::No),
    ("register --as", Good::No),
    ("register nosuch", Good::No),
    ("register --as not%%a|uri --nosuch", Good::No),
    ("backup", Good::No),
    ("backup FILE", Good::Yes),
    ("params", Good::Yes),
    ("params --json", Good::Yes),
    ("params --schema", Good::Yes),
    ("params --schema --json", Good::No),
    ("settings", Good::Yes),
    ("settings --json", Good::Yes),
    ("definition", Good::Yes),
    ("graph", Good::Yes),
    ("graph -o FILE", Good::Yes),
    ("graph nosuch", Good::No),
    ("completions bash", Good::Yes),
    ("completions nosuch", Good::No),
    ("dryrun -Dout=/nowhere", Good::Yes),
    ("dryrun -Dout=/nowhere --json", Good::Yes),
    ("dryrun -c /nosuch/file", Good::No),
    ("simulate -Dout=/nowhere", Good::Coordinator),
    (
        "simulate -Dout=/nowhere --to 2026-01-01T00:10Z",
        Good::Coordinator,
    ),
    ("simulate -Dout=/nowhere --json", Good::Coordinator),
    ("simulate -Dout=/nowhere --calendar FILE", Good::Coordinator),
    ("simulate -Dout=/nowhere --coordinator one", Good::Bundle),
    ("simulate -Dout=/nowhere --coordinator nosuch", Good::No),
    ("simulate -Dout=/nowhere --from x", Good::No),
    ("simulate -Dout=/nowhere --outcomes /nosuch/file", Good::No),
    ("simulate -Dout=/nowhere --arrivals /nosuch/file", Good::No),
    ("submit", Good::No),
    ("submit -Dout", Good::No),
    ("run -c /nosuch/file", Good::No),
    ("run --nosuch", Good::No),
    ("run -Dout=/nowhere -Duser.name=nobody-else", Good::No),
    ("submit -Dout=/nowhere -Duser.name=nobody-else", Good::No),
    ("submit -Dout=/nowhere -DKB=1", Good::No),
    ("recover nosuch", Good::No),
    ("start nosuch", Good::No),
    ("rerun nosuch", Good::No),
];

/// Runs a line; whatever its result, nothing may have changed.
#[track_caller]
fn show(
    folder: &ProgramFolder,
    world: &World,
    line: &str,
    job: Option<&SubmittedJob>,
    before: &str,
) -> Ended {
    let file = world.path("shown.svg");
    // It may not have been written.
    let _ = std::fs::remove_file(&file);
    let id = job.map_or("", |job| job.id.as_str());
    let number = id.split('-').next().unwrap_or_default();
    let words: Vec<String> = line
        .split(' ')
        .map(|word| {
            word.replace("JOB", id)
                .replace("NUMBER", number)
                .replace("FILE", &file.display().to_string())
        })
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ended = type_line(folder, world, &words, before);
    assert!(
        contents(folder.home()) == before,
        "{words:?} has changed something: {ended:?}"
    );
    if ended.code == Some(2) {
        assert!(!file.exists(), "{words:?} was refused, and has written");
        assert!(
            ended.stdout.is_empty(),
            "{words:?} was refused, and has shown: {ended:?}"
        );
    }
    ended
}

#[test]
fn what_only_shows_changes_nothing() {
    let folder = ProgramFolder::new();
    let before = contents(folder.home());
    let worlds = [&folder.workflow, &folder.coordinator, &folder.bundle];
    let mut n = 0;
    for job in folder.one_of_each() {
        for (line, whose) in OF_A_JOB {
            n += 1;
            let is_good = match (whose, job.kind) {
                (For::All, _) | (For::Coordinators, ModelJobKind::Coordinator) => Some(true),
                (For::Open, _) => None,
                (For::None | For::Coordinators, _) => Some(false),
            };
            // A coordinator in PREP has no action yet; some programs have no coordinator for an update.
            let depends = *whose == For::Coordinators
                && is_good == Some(true)
                && (line.contains('@') || line.starts_with("update"));
            let ended = show(&folder, worlds[n % 3], line, Some(job), &before);
            if let (Some(is_good), false) = (is_good, depends) {
                let expected = if is_good { 0 } else { 2 };
                assert_eq!(ended.code, Some(expected), "{line} of {job:?}: {ended:?}");
            } else {
                assert!(
                    matches!(ended.code, Some(0 | 2)),
                    "{line} of {job:?}: {ended:?}"
                );
            }
        }
    }
    for (line, good) in OF_NO_JOB {
        for world in worlds {
            let is_good = match good {
                Good::Yes => true,
                Good::No => false,
                Good::Coordinator => std::ptr::eq(world, &folder.coordinator),
                Good::Bundle => std::ptr::eq(world, &folder.bundle),
            };
            let ended = show(&folder, world, line, None, &before);
            let expected = if is_good { 0 } else { 2 };
            assert_eq!(ended.code, Some(expected), "{line}: {ended:?}");
        }
    }
}

/// `purge` removes exactly what its dry run announced.
#[test]
fn purge_removes_what_it_said() {
    let folder = ProgramFolder::new();
    let before = contents(folder.home());
    let world = &folder.workflow;
    let said = show(
        &folder,
        world,
        "purge --older-than 0d --dry-run",
        None,
        &before,
    )
    .expect(0);
    let n_before = world.jobs().len();
    let done = world.call(&["purge", "--older-than", "0d"]).expect(0);
    assert_eq!(said.stderr.replace("would free", "freed"), done.stderr);
    assert!(world.jobs().len() < n_before, "{}", said.stderr);
    for id in said.stdout.lines() {
        world.call(&["info", id]).expect(2);
    }
    let again = contents(folder.home());
    world.call(&["purge", "--older-than", "0d"]).expect(0);
    assert!(contents(folder.home()) == again, "nothing is left to purge");
}
