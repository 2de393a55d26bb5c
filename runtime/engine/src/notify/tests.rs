use super::*;

fn told(url: &str, words: &[(&'static str, &str)]) -> String {
    let words: Vec<(&'static str, String)> = words
        .iter()
        .map(|(token, word)| (*token, (*word).to_owned()))
        .collect();
    replaced(url, &words)
}

#[test]
fn tokens_are_replaced_once_and_the_longest_first() {
    let words = [("$jobId", "1-W"), ("$status", "$jobId"), ("$job", "x")];
    for (url, expected) in [
        ("http://h/?id=$jobId&s=$status", "http://h/?id=1-W&s=$jobId"),
        ("http://h/$job/$other$", "http://h/x/$other$"),
        ("http://h/", "http://h/"),
        ("$", "$"),
    ] {
        assert_eq!(told(url, &words), expected, "{url}");
    }
}

fn row(type_name: &str, status: ActionStatus) -> ActionRow {
    ActionRow {
        status,
        transition: Some("b".to_owned()),
        attempt: 1,
        ..ActionRow::new("1", "a", type_name)
    }
}

fn job(parent: Option<&str>) -> JobRow {
    JobRow {
        status: JobStatus::Running,
        parent_id: parent.map(str::to_owned),
        parent_node: parent.map(|_| "node".to_owned()),
        ..JobRow::new("1", 0)
    }
}

/// The last value that a notification URL gets for a node.
fn word_of(words: fn(&StateChange<'_>) -> TokenWords, row: &ActionRow) -> Option<String> {
    let job = job(None);
    let told = StateChange {
        job: &job,
        status: JobChange::None,
        node: Some((row, row.status)),
    };
    words(&told)?.pop().map(|(_, word)| word)
}

#[test]
fn oozies_words_for_nodes() {
    use ActionStatus as S;
    for (type_name, status, expected) in [
        ("shell", S::Running, Some("S:RUNNING")),
        ("fs", S::Running, None),
        ("shell", S::Ok, Some("T:b")),
        ("shell", S::Error, Some("T:b")),
        ("shell", S::Failed, Some("S:FAILED")),
        ("shell", S::Killed, None),
        ("shell", S::Prep, None),
        ("shell", S::UserRetry, None),
        ("shell", S::StartManual, None),
        ("switch", S::Ok, Some("T:b")),
        (":START:", S::Ok, Some("T:b")),
    ] {
        let told = word_of(oozie_action, &row(type_name, status));
        assert_eq!(told.as_deref(), expected, "{type_name} {status}");
    }
    let end = ActionRow {
        transition: None,
        ..row(":END:", S::Ok)
    };
    assert_eq!(word_of(oozie_action, &end).as_deref(), Some("T:null"));
    let killed = ActionRow {
        is_canceling: true,
        ..row("shell", S::Killed)
    };
    assert_eq!(word_of(oozie_action, &killed).as_deref(), Some("T:null"));
}

#[test]
fn the_proposals_words_for_nodes() {
    use ActionStatus as S;
    for (type_name, status, expected) in [
        ("shell", S::Running, Some("started")),
        ("fs", S::Running, Some("started")),
        ("shell", S::StartRetry, Some("automatic-retry")),
        ("shell", S::UserRetry, Some("automatic-retry")),
        ("shell", S::StartManual, Some("manual-retry")),
        ("shell", S::Ok, Some("OK")),
        ("shell", S::Error, Some("ERROR")),
        ("switch", S::Ok, Some("b")),
        ("switch", S::Running, Some("started")),
        (":FORK:", S::Ok, None),
        ("shell", S::Prep, None),
    ] {
        let told = word_of(proposal::action, &row(type_name, status));
        assert_eq!(told.as_deref(), expected, "{type_name} {status}");
    }
}

#[test]
fn jobs_tell_every_state_but_prep_and_children_nothing() {
    let of = |status: JobChange, parent: Option<&str>| {
        let job = job(parent);
        let told = StateChange {
            job: &job,
            status,
            node: None,
        };
        let last = |words: TokenWords| {
            words
                .and_then(|mut words| words.pop())
                .map(|(_, word)| word)
        };
        (last(oozie_job(&told)), last(proposal::job(&told)))
    };
    let words = |oozie: Option<&str>, proposal: Option<&str>| {
        (oozie.map(str::to_owned), proposal.map(str::to_owned))
    };
    for (status, oozie, proposal) in [
        (JobChange::To(JobStatus::Prep), None, None),
        (JobChange::To(JobStatus::Running), Some("RUNNING"), None),
        (JobChange::To(JobStatus::Suspended), Some("SUSPENDED"), None),
        (JobChange::StoppedByError, None, None),
        (
            JobChange::To(JobStatus::Killed),
            Some("KILLED"),
            Some("KILLED"),
        ),
        (
            JobChange::To(JobStatus::Failed),
            Some("FAILED"),
            Some("FAILED"),
        ),
    ] {
        assert_eq!(of(status, None), words(oozie, proposal));
    }
    let child = of(JobChange::To(JobStatus::Succeeded), Some("0"));
    assert_eq!(child, words(None, Some("SUCCEEDED")));
}
