//! The model does what PostgreSQL does, and the shipped client finds its way through it.

use std::{cell::RefCell, collections::VecDeque, rc::Rc, time::Duration};

use hpdlc_core::status::ActionStatus;

use super::{Fault, Faults, Message, ModelledServer, Who, with_faults};
use crate::{
    ActionRow, JobRow, LogRow, StoreError, hosts, query,
    sql::{Connection, Error},
    writer::{Batch, Writer},
};

const JOB: &str = "0000007-231114221320000-hpdl-W";
const HOSTS: [&str; 2] = [
    "00000000000000000000000000000000",
    "11111111111111111111111111111111",
];
const TIMEOUT: Duration = Duration::from_secs(300);

/// Faults for the next commits and the next other messages, one each; and what happens while a client waits.
#[derive(Default)]
struct Script {
    commits: VecDeque<Fault>,
    others: VecDeque<Fault>,
    waiting: Option<Box<dyn FnOnce()>>,
}

impl Faults for Script {
    fn at(&mut self, message: Message<'_>) -> Fault {
        let next = match message.commits {
            true => self.commits.pop_front(),
            false => self.others.pop_front(),
        };
        next.unwrap_or(Fault::None)
    }

    fn at_connect(&mut self, _: Who, _: &str) -> Option<&'static str> {
        None
    }

    fn wait(&mut self, _: Who, _: &str, _: Duration) {
        if let Some(happens) = self.waiting.take() {
            happens();
        }
    }

    fn is_asked_to_end(&mut self, _: Who) -> bool {
        false
    }

    fn dies(&mut self, _: Who) {}
}

fn script(commits: &[Fault], waiting: Option<Box<dyn FnOnce()>>) {
    let script = Script {
        commits: commits.iter().copied().collect(),
        waiting,
        ..Script::default()
    };
    with_faults(Some(Rc::new(RefCell::new(script))));
}

/// The next messages that commit nothing are lost in these ways.
fn lose_others(ways: &[Fault]) {
    let script = Script {
        others: ways.iter().copied().collect(),
        ..Script::default()
    };
    with_faults(Some(Rc::new(RefCell::new(script))));
}

/// A server with a job and two hosts.
fn server() -> (ModelledServer, Connection) {
    with_faults(None);
    let server = ModelledServer::new().unwrap();
    for host in HOSTS {
        server.add_host(host, "machine").unwrap();
    }
    server.set_clock(1_000_000);
    let observer = server.connect("", Who::Observer).unwrap();
    query::insert_job(&observer, &JobRow::new(JOB, 0)).unwrap();
    (server, observer)
}

/// The owner of the job on a host.
fn owner(server: &ModelledServer, host: &str) -> Writer {
    let connection = server.connect(host, Who::Owner).unwrap();
    hosts::prove(&connection, host, TIMEOUT).unwrap();
    assert_eq!(hosts::take_job(&connection, JOB, Some(host)), Ok(true));
    let epoch = query::take_ownership(&connection, JOB, 1, Some(host));
    let epoch = epoch.unwrap().unwrap();
    Writer::start(connection, JOB.to_owned(), epoch).unwrap()
}

fn batch(event: &str) -> Batch {
    let line = LogRow {
        job_id: JOB.to_owned(),
        time: 0,
        node: None,
        event: event.to_owned(),
        message: None,
    };
    Batch {
        log: vec![line],
        ..Batch::default()
    }
}

fn lines(observer: &Connection) -> Vec<String> {
    let mut statement = observer
        .prepare("SELECT event FROM log ORDER BY id")
        .unwrap();
    let events = statement.query_map([], |row| row.get(0)).unwrap();
    events.map(Result::unwrap).collect()
}

fn ways_to_lose_a_commit() -> Vec<Fault> {
    let mut ways = vec![Fault::Ended];
    for chance in [false, true] {
        ways.push(Fault::CutBefore { is_noticed: chance });
        ways.push(Fault::CutAfter { is_noticed: chance });
        ways.push(Fault::CutWithin { applies: chance });
        for away in [Duration::ZERO, Duration::from_secs(90)] {
            let is_done = chance;
            ways.push(Fault::Restart { is_done, away });
        }
    }
    ways
}

#[test]
fn a_batch_is_written_once_however_its_commit_is_lost() {
    for way in ways_to_lose_a_commit() {
        for next in ways_to_lose_a_commit() {
            let (server, observer) = server();
            let mut writer = owner(&server, HOSTS[0]);
            // The first commit that reads back is lost, too.
            script(&[way, next], None);
            writer.commit(&batch("once")).unwrap();
            writer.commit(&batch("then")).unwrap();
            assert_eq!(lines(&observer), ["once", "then"], "{way:?}, {next:?}");
        }
    }
    with_faults(None);
}

#[test]
fn a_command_is_told_what_became_of_its_transaction() {
    for way in ways_to_lose_a_commit() {
        let (server, observer) = server();
        let terminal = server.connect(HOSTS[0], Who::Terminal).unwrap();
        script(&[way], None);
        let transaction = terminal.transaction().unwrap();
        for line in batch("command").log {
            line.write(&transaction).unwrap();
        }
        let is_done = match transaction.commit() {
            Ok(()) => 1,
            Err(Error::Server(error)) if error.is_lost => 0,
            Err(error) => panic!("{error}"),
        };
        if !matches!(way, Fault::Restart { away, .. } if !away.is_zero()) {
            assert_eq!(lines(&observer).len(), is_done, "{way:?}");
        }
    }
    with_faults(None);
}

#[test]
fn a_job_is_taken_from_a_host_only_when_that_is_gone() {
    let (server, _) = server();
    let first = owner(&server, HOSTS[0]);
    let connection = server.connect(HOSTS[1], Who::Owner).unwrap();
    let take = || hosts::take_job(&connection, JOB, Some(HOSTS[1]));
    assert_eq!(take(), Ok(false));
    // Its session is lost, and the server does not know that.
    server.cut_off(HOSTS[0], true);
    assert_eq!(take(), Ok(false));
    server.set_clock(1_000_000 + 300_001);
    assert_eq!(take(), Ok(true));
    drop(first);
}

/// Only that host can end what it runs: another one would confirm an end that it does not know of.
#[test]
fn a_job_stays_with_the_host_where_its_actions_may_run() {
    let (server, observer) = server();
    let [own, other] = HOSTS;
    let mut row = ActionRow::new(JOB, "a", "shell");
    row.boot_id = Some(hosts::mark_of("1", Some(own)));
    hosts::prove(&observer, own, TIMEOUT).unwrap();
    for (status, is_canceling, is_bound) in [
        (ActionStatus::Running, false, true),
        (ActionStatus::Killed, true, true),
        (ActionStatus::Killed, false, false),
        (ActionStatus::Ok, false, false),
    ] {
        (row.status, row.is_canceling) = (status, is_canceling);
        row.write(&observer).unwrap();
        let bound = hosts::bound_to(&observer, JOB, Some(other)).unwrap();
        assert_eq!(bound.is_some(), is_bound, "{status:?} {is_canceling}");
        assert_eq!(hosts::bound_to(&observer, JOB, Some(own)), Ok(None));
    }
    (row.status, row.is_canceling) = (ActionStatus::Killed, true);
    row.write(&observer).unwrap();
    server.set_clock(1_000_000 + 400_000);
    assert_eq!(hosts::bound_to(&observer, JOB, Some(other)), Ok(None));
}

#[test]
fn an_owner_that_was_replaced_while_it_waited_writes_nothing() {
    for way in ways_to_lose_a_commit() {
        let (server, observer) = server();
        let mut writer = owner(&server, HOSTS[0]);
        let other = server.clone();
        let take_over = move || {
            other.set_clock(1_000_000 + 400_000);
            drop(owner(&other, HOSTS[1]));
        };
        script(&[way], Some(Box::new(take_over)));
        let written = writer.commit(&batch("late"));
        let is_written = lines(&observer).len();
        match &written {
            // Nobody has replaced it, since it did not wait.
            Ok(()) => assert_eq!(is_written, 1, "{way:?}"),
            Err(StoreError::NotOwner { .. }) => {}
            Err(error) => panic!("{way:?}: {error:?}"),
        }
        let epoch: i64 = observer
            .query_row("SELECT epoch FROM jobs", [], |row| row.get(0))
            .unwrap();
        let is_replaced = epoch == 2;
        assert_eq!(written.is_err(), is_replaced, "{way:?}");
    }
    with_faults(None);
}

#[test]
fn what_may_be_done_twice_is_done_however_often_the_connection_is_lost() {
    let away = Fault::Restart {
        is_done: true,
        away: Duration::from_secs(40),
    };
    let ways = [
        Fault::CutBefore { is_noticed: true },
        Fault::CutAfter { is_noticed: true },
        away,
    ];
    let (server, observer) = server();
    let writer = owner(&server, HOSTS[0]);
    lose_others(&ways);
    // Those that a lost connection has taken are gaps.
    assert_eq!(writer.next_job_number().unwrap(), 3);
    lose_others(&ways);
    hosts::prove(writer.connection(), HOSTS[0], TIMEOUT).unwrap();
    with_faults(None);
    assert_eq!(
        query::next_number(&observer, query::JOBS),
        Ok(4),
        "nothing more was taken"
    );
}

#[test]
fn an_owner_knows_that_it_may_have_been_replaced() {
    let (server, _observer) = server();
    let mut writer = owner(&server, HOSTS[0]);
    assert!(!writer.has_lost_session());
    for certain in [
        |writer: &mut Writer| writer.commit(&batch("a")),
        |writer: &mut Writer| writer.expect_ownership(),
    ] {
        server.restart(Duration::ZERO);
        writer.commands().unwrap();
        assert!(writer.has_lost_session());
        certain(&mut writer).unwrap();
        assert!(!writer.has_lost_session());
    }
    server.restart(Duration::ZERO);
    drop(owner(&server, HOSTS[1]));
    writer.commands().unwrap();
    let told = writer.expect_ownership();
    assert!(matches!(told, Err(StoreError::NotOwner { .. })), "{told:?}");
    assert!(writer.has_lost_session());
}
