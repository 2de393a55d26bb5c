//! `check` of whole trees: every application once, several in parallel, and one list of diagnostics in the end.
//!
//! Threads share nothing: each has a [`Session`] of its own and takes every n-th document. The results are merged by file,
//! so they do not depend on which thread read what.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZero,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use crate::{
    diagnostics::{Diagnostic, sorted},
    driver::{
        application::{Arguments, CheckStep, Purpose, Session, identity},
        locate,
        location::Location,
        read::SourceOverlay,
    },
    source::{FileId, SourceMap},
};

/// The minimum number of documents per thread.
const DOCUMENTS_PER_THREAD: usize = 8;

/// The same as the main thread: trees are walked recursively.
const STACK_SIZE: usize = 8 * 1024 * 1024;

/// The result of checking some paths.
#[derive(Debug)]
pub struct Checked {
    /// By file, then place. Files are ordered by the argument that they are below, then by path; those of the command line
    /// come first.
    pub diagnostics: Vec<Diagnostic>,
    pub sources: SourceMap,
    /// Where the files of `sources` are.
    pub paths: BTreeMap<FileId, PathBuf>,
    /// What was found at or below the paths.
    pub documents: Vec<FoundDocument>,
    /// How many of these were checked without the properties, because those start another document.
    pub n_without_properties: usize,
}

/// A document that was found. If it was unpacked from an archive, its file is removed by now.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundDocument {
    pub path: PathBuf,
    /// As messages show it.
    pub shown: String,
    /// The same for every spelling of the path.
    pub identity: PathBuf,
}

/// Checks every application at or below `paths`. `texts` override the contents of files.
pub fn check(paths: &[PathBuf], arguments: &Arguments, texts: &Arc<SourceOverlay>) -> Checked {
    check_and_see(paths, arguments, texts, &|_, _| ()).0
}

/// Like [`check`], with the result of `see` for each document that was checked, in no particular order. A document that is
/// reached in several ways may occur several times.
pub fn check_and_see<T: Send>(
    paths: &[PathBuf],
    arguments: &Arguments,
    texts: &Arc<SourceOverlay>,
    see: &(dyn Fn(&Session, CheckStep<'_>) -> T + Sync),
) -> (Checked, Vec<T>) {
    let mut base = Session::with_texts(arguments, Arc::clone(texts));
    for path in paths {
        base.files.trust(path);
    }
    let mut seen = BTreeSet::new();
    let locations: Vec<Location> = paths
        .iter()
        .flat_map(|path| locate::documents(path, &mut base.sink))
        .filter(|location| seen.insert(identity(&location.document)))
        .collect();
    let n_documents = locations.len();
    let started = match locations.len() {
        0 | 1 => None,
        _ => {
            let resolved = base.resolved_properties();
            started::started(&locations, &arguments.properties.files, |name| {
                resolved.get(name).map(String::as_str)
            })
        }
    };
    let mut all_seen: Vec<T> = Vec::new();
    let mut checked: BTreeSet<PathBuf> = BTreeSet::new();
    let documents: Vec<FoundDocument> = locations
        .iter()
        .map(|location| FoundDocument {
            path: location.document.clone(),
            shown: location.shown(&location.document),
            identity: identity(&location.document),
        })
        .collect();
    let mut judge = base.fork();
    let mut locations = locations;
    // Those that the properties do not start.
    let mut others: Vec<Location> = Vec::new();
    match started {
        Some(at) => {
            let mut see = |session: &Session, it: CheckStep<'_>| all_seen.push(see(session, it));
            checked.extend(judge.check(&locations[at], &mut see));
            others = std::mem::take(&mut locations);
        }
        None if arguments.purpose == Purpose::Judgment => {
            let mut starts_other = base.fork().starts_other();
            (others, locations) = locations
                .into_iter()
                .partition(|location| starts_other(location));
        }
        None => {}
    }
    let asks_for_children = n_documents > 1 && arguments.purpose != Purpose::Schemas;
    let mut all_sessions = vec![judge];
    let rest = base.fork();
    let sessions = check_group(
        &rest,
        locations,
        asks_for_children,
        see,
        &mut checked,
        &mut all_seen,
    );
    all_sessions.extend(sessions);
    others.retain(|location| !checked.contains(&identity(&location.document)));
    let n_without_properties = others.len();
    if !others.is_empty() {
        let rest = rest.without_properties();
        let sessions = check_group(
            &rest,
            others,
            asks_for_children,
            see,
            &mut checked,
            &mut all_seen,
        );
        all_sessions.extend(sessions);
    }
    let mut merged = merged(paths, base, all_sessions, documents);
    merged.n_without_properties = n_without_properties;
    (merged, all_seen)
}

/// Checks every application at `locations` by sessions like `rest`, which are returned. Adds what was checked to `checked`, and what was
/// seen to `all_seen`.
fn check_group<T: Send>(
    rest: &Session,
    locations: Vec<Location>,
    asks_for_children: bool,
    see: &(dyn Fn(&Session, CheckStep<'_>) -> T + Sync),
    checked: &mut BTreeSet<PathBuf>,
    all_seen: &mut Vec<T>,
) -> Vec<Session> {
    let n_threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(locations.len() / DOCUMENTS_PER_THREAD)
        .max(1);
    let mut sessions: Vec<Session> = (0..n_threads).map(|_| rest.fork()).collect();

    let run_by_others: BTreeSet<PathBuf> = if asks_for_children {
        let documents = each_share(&mut sessions, &locations, |session, share| {
            share
                .flat_map(|location| session.documents_of_children(location))
                .collect::<Vec<PathBuf>>()
        });
        documents.into_iter().flatten().collect()
    } else {
        BTreeSet::new()
    };
    // A started document that was not found may be any document of the run.
    let has_unfound_coordinator = sessions.iter().any(|it| it.has_unfound_coordinator);
    let has_unfound_workflow = sessions.iter().any(|it| it.has_unfound_workflow);
    for session in &mut sessions {
        session.has_unfound_coordinator = has_unfound_coordinator;
        session.has_unfound_workflow = has_unfound_workflow;
    }
    let (children, own): (Vec<Location>, Vec<Location>) = locations
        .into_iter()
        .partition(|location| run_by_others.contains(&identity(&location.document)));
    let shares = each_share(&mut sessions, &own, |session, share| {
        let mut seen = Vec::new();
        let checked: Vec<PathBuf> = share
            .flat_map(|location| {
                session.check(location, &mut |session, it| seen.push(see(session, it)))
            })
            .collect();
        (checked, seen)
    });
    for (documents, seen) in shares {
        checked.extend(documents);
        all_seen.extend(seen);
    }
    // Applications that only run each other come last, one representative for all.
    for location in &children {
        if !checked.contains(&identity(&location.document)) {
            let mut see = |session: &Session, it: CheckStep<'_>| all_seen.push(see(session, it));
            checked.extend(sessions[0].check(location, &mut see));
        }
    }
    sessions
}

/// Runs each session on its share of `locations`, in parallel.
fn each_share<T: Send>(
    sessions: &mut [Session],
    locations: &[Location],
    work: impl Fn(&mut Session, &mut dyn Iterator<Item = &Location>) -> T + Sync,
) -> Vec<T> {
    let n_shares = sessions.len();
    let share = |first: usize| locations.iter().skip(first).step_by(n_shares);
    if let [session] = sessions {
        return vec![work(session, &mut share(0))];
    }
    let (work, share) = (&work, &share);
    thread::scope(|scope| {
        let running: Vec<_> = sessions
            .iter_mut()
            .enumerate()
            .map(|(first, session)| {
                thread::Builder::new()
                    .stack_size(STACK_SIZE)
                    .spawn_scoped(scope, move || work(session, &mut share(first)))
            })
            .collect();
        running
            .into_iter()
            .map(|thread| match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(result)) => result,
                // A bug in hpdlc, which the panic hook has reported.
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(error) => panic!("the system refuses a thread: {error}"),
            })
            .collect()
    })
}

/// A file as loaded by one of the sessions.
struct Loaded {
    session: usize,
    id: FileId,
    path: String,
    text: String,
    real: Option<PathBuf>,
}

/// Merges the results of the sessions.
fn merged(
    arguments: &[PathBuf],
    base: Session,
    sessions: Vec<Session>,
    documents: Vec<FoundDocument>,
) -> Checked {
    let n_base_files = base.files.sources.files().count();
    let mut loaded: Vec<Loaded> = Vec::new();
    let mut diagnostics: Vec<(usize, Vec<Diagnostic>)> = Vec::new();
    for (number, session) in [base].into_iter().chain(sessions).enumerate() {
        let mut paths = session.files.paths();
        let (found, sources) = session.finish();
        diagnostics.push((number, found));
        loaded.extend(
            sources
                .files()
                .zip(sources.into_files())
                .map(|(id, (path, text))| Loaded {
                    session: number,
                    id,
                    real: paths.remove(&id),
                    path,
                    text,
                }),
        );
    }
    // Files of the command line have the same ids in all sessions, and stay in front.
    let is_of_command_line =
        |file: &Loaded| usize::try_from(file.id.0).is_ok_and(|id| id < n_base_files);
    loaded.sort_by_cached_key(|file| {
        let path = PathBuf::from(&file.path);
        match is_of_command_line(file) {
            true => (0, file.id, path),
            false => (argument_of(arguments, &path), FileId(0), path),
        }
    });

    // Links and mappings may lead to one file under several names, of which messages use the first.
    let mentioned: BTreeSet<(usize, FileId)> = diagnostics
        .iter()
        .flat_map(|(session, found)| {
            let files = found.iter().filter_map(Diagnostic::file);
            files.map(move |file| (*session, file))
        })
        .collect();
    let mut sources = SourceMap::default();
    let mut paths: BTreeMap<FileId, PathBuf> = BTreeMap::new();
    let mut new_ids = BTreeMap::new();
    let mut by_identity: BTreeMap<PathBuf, FileId> = BTreeMap::new();
    let mut previous: Option<FileId> = None;
    for file in loaded {
        let real_identity = file
            .real
            .as_deref()
            .filter(|_| mentioned.contains(&(file.session, file.id)))
            .map(identity);
        let same = previous
            .filter(|previous| sources.path(*previous) == file.path)
            .or_else(|| by_identity.get(real_identity.as_ref()?).copied())
            .filter(|same| sources.text(*same) == file.text);
        let id = same.unwrap_or_else(|| sources.add(file.path, file.text));
        if let Some(real) = file.real {
            paths.entry(id).or_insert(real);
        }
        if let Some(real_identity) = real_identity {
            by_identity.entry(real_identity).or_insert(id);
        }
        new_ids.insert((file.session, file.id), id);
        previous = Some(id);
    }
    let diagnostics = diagnostics
        .into_iter()
        .flat_map(|(session, found)| found.into_iter().map(move |it| (session, it)))
        .map(|(session, diagnostic)| diagnostic.map_files(|file| new_ids[&(session, file)]))
        .collect();
    Checked {
        diagnostics: sorted(diagnostics),
        sources,
        paths,
        documents,
        n_without_properties: 0,
    }
}

/// The number of the first argument that a file is below, from 1; the highest for a file elsewhere.
fn argument_of(arguments: &[PathBuf], path: &Path) -> usize {
    let lies_below = |argument: &PathBuf| {
        path.starts_with(argument) || (argument == Path::new(".") && path.is_relative())
    };
    let place = arguments.iter().position(lies_below);
    place.map_or(usize::MAX, |place| place + 1)
}

mod started;
#[cfg(test)]
mod tests;
