//! Checks the files beside the store: permissions, the executables that jobs belong to, and files without an owner.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use hpdlc_host::home::names_in;
use hpdlc_launcher::{Attempt, AttemptState};

use super::{DoctorProgress, DoctorReport, jobs::ExaminedJob};
use crate::{registry::kept, session::Session};

/// The folder and the files that hold passwords must be accessible to the user only.
pub(super) fn permissions(session: &Session, report: &mut DoctorReport) {
    let home = &session.home;
    let store = home.store();
    let beside = |ending: &str| {
        let mut path = store.clone().into_os_string();
        path.push(ending);
        PathBuf::from(path)
    };
    let mut private = vec![home.root().to_owned(), home.work(), home.bin()];
    if home.store_location().is_file() {
        private.extend([store.clone(), beside("-wal"), beside("-shm")]);
    }
    for path in private {
        check_private(&path, report);
    }
}

fn check_private(path: &Path, report: &mut DoctorReport) {
    let about = path.display().to_string();
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => {
            report.problem(
                about,
                format!("it cannot be read: {error}"),
                "check its permissions",
            );
            return;
        }
    };
    let user = rustix::process::geteuid().as_raw();
    if metadata.uid() != user {
        report.problem(
            about.clone(),
            format!("it belongs to user {}, not to you ({user})", metadata.uid()),
            "change its owner, or use another HPDL_HOME",
        );
    }
    let mode = metadata.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let right = if metadata.is_dir() { "700" } else { "600" };
        report.problem(
            about.clone(),
            format!("other users can read or write it (mode {mode:o}); it may contain passwords"),
            &format!("type: chmod {right} {about}"),
        );
    }
}

/// Checks the files of `jobs`, each with whether something of it may still run.
pub(super) fn examine(
    session: &Session,
    jobs: &[(ExaminedJob, bool)],
    needed: &BTreeSet<String>,
    progress: DoctorProgress<'_>,
    report: &mut DoctorReport,
) {
    progress("doctor: executables", 0, 1);
    executables(session, jobs, needed, report);
    work_folders(session, jobs, progress, report);
    locks(session, jobs, report);
}

/// Every job must have an executable that can drive it.
fn executables(
    session: &Session,
    jobs: &[(ExaminedJob, bool)],
    needed: &BTreeSet<String>,
    report: &mut DoctorReport,
) {
    let mut used: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for (job, may_run) in jobs {
        let (n_jobs, n_running, n_elsewhere) = used.entry(job.hash.as_str()).or_default();
        *n_jobs += 1;
        *n_running += usize::from(*may_run && !job.is_of_other_host);
        *n_elsewhere += usize::from(*may_run && job.is_of_other_host);
    }
    for (hash, (n_jobs, n_running, n_elsewhere)) in &used {
        let path = session.home.bin().join(hash);
        let about = path.display().to_string();
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                let mode = metadata.permissions().mode() & 0o777;
                if mode & 0o100 == 0 || mode & 0o022 != 0 {
                    report.problem(
                        about.clone(),
                        format!("it is executed, but its mode is {mode:o}"),
                        &format!("check that it was not modified, then type: chmod 700 {about}"),
                    );
                }
                content(session, hash, &about, report);
            }
            Ok(_) | Err(_) => {
                let problem = format!("the executable of {n_jobs} jobs is missing");
                let remedy = "put the executable there again that made these jobs: \
                              its `--version` names this definition";
                match (*n_running, *n_elsewhere) {
                    (0, 0) => report.note(about, format!("{problem}; all of them have ended"), remedy),
                    (0, n) => report.note(
                        about,
                        format!("the executable of {n} jobs of other hosts is not on this one, which cannot take them over"),
                        "if it is to continue them, type here: ./APPLICATION register",
                    ),
                    (_, _) => report.problem(about, problem, remedy),
                }
            }
        }
    }
    for name in names_in(&session.home.bin()) {
        // While an executable is being copied there it has a temporary name.
        if !needed.contains(&name) && !name.starts_with('.') {
            report.note(
                session.home.bin().join(&name).display().to_string(),
                "no job uses this executable, and it is not registered",
                "`purge` removes it",
            );
        }
    }
}

/// The copy must be what was stored: it is read again, whatever the result of an earlier check.
fn content(session: &Session, hash: &str, about: &str, report: &mut DoctorReport) {
    let problem = match kept::examine(&session.home, hash) {
        Ok(copy) if copy.can_run() => return,
        Ok(_) => "it is damaged: its checksum has changed".to_owned(),
        Err(error) => format!("it cannot be read: {error}"),
    };
    report.problem(
        about,
        problem,
        "type `run` or `recover` with the executable that made these jobs: it stores an intact copy",
    );
}

/// Work folders must belong to jobs, and nothing may run in those of jobs that have ended.
fn work_folders(
    session: &Session,
    jobs: &[(ExaminedJob, bool)],
    progress: DoctorProgress<'_>,
    report: &mut DoctorReport,
) {
    let by_id: BTreeMap<&str, bool> = jobs
        .iter()
        .map(|(job, may_run)| (job.id.as_str(), *may_run))
        .collect();
    let names = names_in(&session.home.work());
    let n_names = names.len();
    for (n, name) in names.into_iter().enumerate() {
        progress("doctor: work folders", n, n_names);
        let folder = session.home.work().join(&name);
        match by_id.get(name.as_str()) {
            Some(true) => {}
            Some(false) => processes(&folder, &format!("job {name}"), report),
            // A job's folder is made a moment before its row in the store; until then its creator holds its lock.
            None if session.has_owner(&name) => {}
            None => {
                processes(&folder, &folder.display().to_string(), report);
                report.note(
                    folder.display().to_string(),
                    "it belongs to no job",
                    "`purge` removes it",
                );
            }
        }
    }
}

/// Reports attempts below a job's work folder whose processes are alive.
fn processes(folder: &Path, about: &str, report: &mut DoctorReport) {
    for node in names_in(folder) {
        if node.starts_with('@') {
            // A further run of the job.
            processes(&folder.join(&node), about, report);
            continue;
        }
        let of_node = folder.join(&node);
        for name in names_in(&of_node) {
            let Some(number) = name.strip_suffix(".claim") else {
                continue;
            };
            let attempt = Attempt::new(of_node.join(number));
            let found = attempt.inspect();
            let group = match &found {
                Ok(AttemptState::Running | AttemptState::Lost(_) | AttemptState::Exited(_)) => {
                    attempt.claim_record().and_then(|record| record.group())
                }
                Ok(AttemptState::Unclaimed) | Err(_) => None,
            };
            if let Some(group) = group.filter(|group| group.is_alive()) {
                report.problem(
                    about.to_owned(),
                    format!(
                        "the job has ended, but a process of its node {node} (attempt {number}) is still running in process group {}",
                        group.id
                    ),
                    &format!("check what it is doing, then kill it: kill -- -{}", group.id),
                );
            }
        }
    }
}

/// Reports lock files of jobs that no longer exist.
fn locks(session: &Session, jobs: &[(ExaminedJob, bool)], report: &mut DoctorReport) {
    let known: BTreeSet<&str> = jobs.iter().map(|(job, _)| job.id.as_str()).collect();
    let folder = session.home.locks();
    let orphans: Vec<String> = names_in(&folder)
        .into_iter()
        .filter(|name| {
            // Names of job locks have the form of job ids; other locks do not belong to jobs.
            let id = name.split('.').next().unwrap_or(name);
            let is_id = ["-W", "-C", "-B"].iter().any(|kind| id.ends_with(kind));
            is_id && !known.contains(id) && !session.has_owner(id)
        })
        .collect();
    if !orphans.is_empty() {
        report.note(
            folder.display().to_string(),
            format!("{} lock files belong to no job", orphans.len()),
            "`purge` removes them",
        );
    }
}
