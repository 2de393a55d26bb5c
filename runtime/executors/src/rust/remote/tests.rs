use std::{
    collections::BTreeMap,
    fs,
    sync::atomic::{AtomicU32, Ordering},
};

use tempfile::TempDir;

use super::*;
use crate::action::{error, transient};

/// A service, by the tags of attempts. What it does is in the arguments of the action.
static SERVICE: Mutex<BTreeMap<String, Served>> = Mutex::new(BTreeMap::new());

/// Tests share the service, and each has a tag of its own.
static N_TAGS: AtomicU32 = AtomicU32::new(0);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Served {
    is_there: bool,
    n_starts: u32,
    n_checks: u32,
    n_kills: u32,
}

const CALLS: RemoteCalls = RemoteCalls {
    find: |context, arguments| {
        if arguments.iter().any(|argument| argument == "find-fails") {
            return Err(error("DENIED", "not you"));
        }
        let is_there = of(&context.tag()).is_there;
        Ok(is_there.then(|| Id::new("7")))
    },
    start: |context, arguments| {
        let says = |word: &str| arguments.iter().any(|argument| argument == word);
        change(&context.tag(), |served| {
            served.n_starts += 1;
            served.is_there = !says("start-is-dropped") && !says("start-is-refused");
        });
        if says("start-is-refused") {
            return Err(error("FULL", "no room"));
        }
        if says("start-is-dropped") || says("answer-is-dropped") {
            return Err(std::io::Error::other("connection reset"))?;
        }
        Ok(Id::new("7"))
    },
    check: |context, arguments, id| {
        assert_eq!(id.as_str(), "7");
        let says = |word: &str| arguments.iter().any(|argument| argument == word);
        let served = change(&context.tag(), |served| served.n_checks += 1);
        match served.n_checks {
            _ if says("is-endless") => Ok(State::Running),
            _ if says("fails") => Ok(State::Failed(error("NO_SPACE", "full"))),
            1 if says("check-is-dropped") => Err(transient("DOWN", "later")),
            1 => Ok(State::Running),
            _ => Ok(State::Done(DataMap::from([(
                "n".to_owned(),
                "4".to_owned(),
            )]))),
        }
    },
    kill: |context, _, _| {
        change(&context.tag(), |served| served.n_kills += 1);
        Ok(())
    },
};

fn change(tag: &str, change: impl FnOnce(&mut Served)) -> Served {
    let mut service = SERVICE.lock().unwrap_or_else(PoisonError::into_inner);
    let served = service.entry(tag.to_owned()).or_default();
    change(served);
    served.clone()
}

fn of(tag: &str) -> Served {
    change(tag, |_| {})
}

/// An attempt, with what an earlier process of it has recorded.
struct Case {
    _folder: TempDir,
    attempt: Attempt,
    tag: String,
}

impl Case {
    fn new(recorded: Option<(bool, Option<&str>)>) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let attempt = Attempt::new(folder.path().join("1"));
        let tag = format!("tag-{}", N_TAGS.fetch_add(1, Ordering::Relaxed));
        if let Some((has_begun, id)) = recorded {
            let state = RemoteState {
                tag: tag.clone(),
                since: clock::now_millis(),
                has_begun,
                id: id.map(Id::new),
                ..RemoteState::default()
            };
            state.write(&attempt).unwrap();
        }
        Case {
            _folder: folder,
            attempt,
            tag,
        }
    }

    fn follow(&self, word: &str, limit: Option<u64>) -> Result<WorkResult, WorkError> {
        let action = Rust {
            function: String::new(),
            arguments: vec![word.to_owned()],
            hash: String::new(),
            max_output: 100,
            limit: limit.map(|seconds| hpdlc_launcher::TimeLimit { seconds, grace: 1 }),
            lost: None,
        };
        let context = Context::new("job", "copy", 1, self.attempt.folder());
        let context = context.tagged(self.tag.clone());
        follow(&action, CALLS, context, &self.attempt)
    }

    fn end(&self, word: &str, limit: Option<u64>) -> String {
        match self.follow(word, limit) {
            Ok(result) => format!("{} {:?}", result.external_id.unwrap(), result.data),
            Err(WorkError::Lost(problem)) => format!("lost: {problem}"),
            Err(WorkError::Action(error) | WorkError::Ended(error, _)) => error.code,
            Err(WorkError::Known(error, result)) => {
                format!("{} of {}", error.code, result.external_id.unwrap())
            }
        }
    }
}

const DONE: &str = r#"7 {"n": "4"}"#;

/// Each process of an attempt goes on where the one before it has died.
#[test]
fn nothing_is_started_twice() {
    let not_found = "lost: its process died while it started the work, and the work is not found: whether it was done is not known";
    for (recorded, is_there, word, expected, n_starts) in [
        (None, false, "", DONE, 1),
        (None, true, "", DONE, 0),
        (Some((false, None)), false, "", DONE, 1),
        (Some((true, None)), true, "", DONE, 0),
        (Some((true, None)), false, "", not_found, 0),
        (Some((true, Some("7"))), false, "", DONE, 0),
        (None, false, "fails", "NO_SPACE of 7", 1),
        (None, false, "check-is-dropped", DONE, 1),
        (None, false, "find-fails", "DENIED", 0),
        (
            Some((true, None)),
            true,
            "find-fails",
            "lost: whether the work was started is not known: DENIED: not you",
            0,
        ),
        (None, false, "start-is-refused", "FULL", 1),
        (None, false, "answer-is-dropped", DONE, 1),
        (
            None,
            false,
            "start-is-dropped",
            "lost: the start has failed (connection reset), and the work is not found: whether it was done is not known",
            1,
        ),
    ] {
        let case = Case::new(recorded);
        change(&case.tag, |served| served.is_there = is_there);
        let what = format!("{recorded:?} {is_there} {word}");
        assert_eq!(case.end(word, None), expected, "{what}");
        assert_eq!(of(&case.tag).n_starts, n_starts, "{what}");
    }
}

#[test]
fn the_next_process_needs_nothing_but_the_record() {
    let case = Case::new(None);
    assert_eq!(case.end("", None), DONE);
    change(&case.tag, |served| served.is_there = false);
    assert_eq!(case.end("", None), DONE);
    assert_eq!(of(&case.tag).n_starts, 1);
    let state = RemoteState::read(&case.attempt).unwrap().unwrap();
    assert_eq!(state.id, Some(Id::new("7")));
    assert_eq!(state.node, "copy");
    assert!(!fs::exists(case.attempt.beside("remote.new")).unwrap());
}

#[test]
fn work_whose_time_is_over_is_ended_there() {
    let case = Case::new(None);
    assert_eq!(case.end("is-endless", Some(1)), "HPDL_TIMEOUT");
    let served = of(&case.tag);
    assert_eq!((served.n_starts, served.n_kills), (1, 1));
    // The limit is that of the attempt, not of its process.
    let begun = Instant::now();
    assert_eq!(case.end("is-endless", Some(1)), "HPDL_TIMEOUT");
    assert!(begun.elapsed() < Duration::from_millis(900));
    assert_eq!(of(&case.tag).n_starts, 1);
}
