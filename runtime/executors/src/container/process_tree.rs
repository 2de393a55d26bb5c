//! The descendants of this process, whatever groups and sessions they have joined. Orphans among them become its children.

use std::{collections::BTreeMap, fs};

use hpdlc_host::proc_stat::Stat;
use rustix::process::{Pid, Signal, getpid, kill_process, set_child_subreaper};

/// Makes orphaned descendants children of this process, so that they are found.
pub fn adopt_orphans() {
    // Where the system does not support it, those that leave their parents are not found.
    let _ = set_child_subreaper(Some(getpid()));
}

/// Sends `signal` to all descendants; returns whether any was running.
pub fn signal(signal: Signal) -> bool {
    let descendants = descendants(getpid().as_raw_nonzero().get());
    for pid in &descendants {
        if let Some(pid) = Pid::from_raw(*pid) {
            // It may have ended a moment ago.
            let _ = kill_process(pid, signal);
        }
    }
    !descendants.is_empty()
}

fn descendants(root: i32) -> Vec<i32> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    for pid in processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()) {
        if let Some(stat) = Stat::of(i64::from(pid))
            && stat.is_running()
            && let Ok(parent) = i32::try_from(stat.parent)
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(parent) = waiting.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            found.push(child);
            waiting.push(child);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_descendant_in_a_session_of_its_own_is_found() {
        let mut child = Command::new("sh")
            .args(["-c", "setsid sleep 100 & wait"])
            .spawn()
            .unwrap();
        let root = i32::try_from(child.id()).unwrap();
        let found = loop {
            let found = descendants(root);
            if !found.is_empty() {
                break found;
            }
        };
        assert_eq!(found.len(), 1);
        assert!(descendants(getpid().as_raw_nonzero().get()).contains(&found[0]));
        for pid in [found[0], root] {
            kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
        }
        child.wait().unwrap();
    }
}
