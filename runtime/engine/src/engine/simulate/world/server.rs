//! Worlds whose store is on a server that two hosts use.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    rc::Rc,
    sync::Arc,
};

use hpdlc_host::home::{Home, store_location::StoreLocation};
use hpdlc_store::{
    commands, query,
    sql::{
        self, Connection,
        postgres::model::{ModelledServer, Who, with_faults},
    },
};

use super::EngineWorld;
use crate::{
    engine::simulate::{
        checks::AttemptName,
        random::Random,
        server_faults::{FaultParts, ServerFaults, SimulatedHost},
        simulated_environment::Crash,
    },
    registry::{self, kept},
    session::Session,
};

mod owners;

/// More attempts than any command needs.
const MAX_TRIES: usize = 1_000;

/// The store of a world, and what happens on the way to it.
pub struct WorldServer {
    server: ModelledServer,
    /// The simulator's own connection.
    observer: Rc<Connection>,
    pub(super) faults: Rc<RefCell<ServerFaults>>,
    /// Commands that were acknowledged.
    acknowledged: Vec<i64>,
}

thread_local! {
    /// Passed on by the last world of this thread.
    static SERVER: RefCell<Option<ModelledServer>> = const { RefCell::new(None) };
}

impl EngineWorld {
    /// A world whose store is on a server.
    pub fn on_server(seed: u64, is_logged: bool) -> EngineWorld {
        let mut world = EngineWorld::new(seed, is_logged);
        let server = SERVER.take();
        let server = server.unwrap_or_else(|| ModelledServer::new().expect("there is memory"));
        server.clear().expect("there is memory");
        let observer = server.connect("simulator", Who::Observer);
        let observer = Rc::new(observer.expect("it is always connected"));
        let folder = world.bench.folder().join("other-host");
        let _ = std::fs::remove_dir_all(&folder);
        let other = Home::open_at(folder).expect("it is ours");
        let homes = [world.session.home.clone(), other];
        let hosts = homes.iter().enumerate().map(|(n, home)| {
            let url = StoreLocation::Postgres("postgres://hpdl@modelled/jobs".to_owned());
            let home = home.with_store(url);
            // An id that is the same in each run.
            let secret = [u8::try_from(n).expect("they are two"); 32];
            std::fs::write(home.host_id(), secret).expect("it is ours");
            let id = home.host().expect("it can be read").expect("it is a host");
            server
                .add_host(&id, &format!("machine{n}"))
                .expect("there is memory");
            if n > 0 {
                let executable = world.bench.folder().join("executable");
                kept::keep(&home, world.workflow.program.hash, &executable).expect("it is ours");
                registry::unpack(&home, world.workflow.program).expect("it is ours");
            }
            let session = Session {
                program: world.workflow.program,
                home,
                site: Arc::default(),
            };
            SimulatedHost {
                id,
                session,
                boot: 1,
            }
        });
        let parts = FaultParts {
            server: server.clone(),
            observer: Rc::clone(&observer),
            hosts: hosts.collect(),
            simulated: Rc::clone(&world.simulated),
            seen: Rc::clone(&world.seen),
        };
        let faults = ServerFaults::new(parts, Random::new(seed ^ 0x5E57_E000));
        world.session = faults.hosts[0].session.clone();
        world.has_terminal = false;
        let faults = Rc::new(RefCell::new(faults));
        with_faults(Some(faults.clone()));
        world.server = Some(WorldServer {
            server,
            observer,
            faults,
            acknowledged: Vec::new(),
        });
        world
    }

    /// Leaves the server to the next world.
    pub(super) fn leave_server(&mut self) {
        with_faults(None);
        if let Some(server) = self.server.take() {
            server.faults.borrow_mut().taken = None;
            self.sending = None;
            drop(server.observer);
            SERVER.set(Some(server.server));
        }
    }

    pub(super) fn is_on_server(&self) -> bool {
        self.server.is_some()
    }

    /// The connection that nothing happens to.
    pub(super) fn observer(&self) -> Option<&Connection> {
        self.server.as_ref().map(|server| &*server.observer)
    }

    /// Has time count at the server, too.
    pub(super) fn tick(&mut self) {
        if let Some(server) = &self.server {
            let is_driven = self.engine.is_some();
            let mut faults = server.faults.borrow_mut();
            faults.is_driven = is_driven;
            faults.root.clone_from(&self.root);
            faults.tick();
        }
    }

    /// A broken invariant that was found meanwhile.
    pub(super) fn check_server(&mut self) -> Result<(), String> {
        let Some(server) = &self.server else {
            return Ok(());
        };
        let mut faults = server.faults.borrow_mut();
        self.lost |= faults.has_lost;
        let violation = self.simulated.borrow_mut().violation.take();
        violation
            .or_else(|| faults.problem.take())
            .map_or(Ok(()), Err)
    }

    /// A command of a user. It may be given again until it is acknowledged.
    pub(super) fn command_server(&mut self, job: &str, verb: &str, now: i64) -> sql::Result<()> {
        let Some(server) = &mut self.server else {
            return Ok(());
        };
        for _ in 0..MAX_TRIES {
            let host = {
                let mut faults = server.faults.borrow_mut();
                let host = if now % 2 == 0 {
                    faults.here
                } else {
                    faults.other()
                };
                faults.tick();
                faults.hosts[host].id.clone()
            };
            let given = surviving(|| {
                let connection = server.server.connect(&host, Who::Terminal)?;
                commands::add(&connection, job, verb, now)
            });
            self.has_commands = true;
            match given {
                Some(Ok(id)) => {
                    server.acknowledged.push(id);
                    return Ok(());
                }
                Some(Err(sql::Error::Server(error))) if error.is_lost => {}
                Some(Err(error)) => return Err(error),
                None => {}
            }
            server.server.cut_off(&host, false);
        }
        Err(sql::Error::Value("no command is taken".to_owned()))
    }

    /// No command that was acknowledged is forgotten.
    pub(super) fn check_acknowledged(&self) -> Result<(), String> {
        let Some(server) = &self.server else {
            return Ok(());
        };
        for id in &server.acknowledged {
            let sql = "SELECT handled IS NOT NULL FROM commands WHERE id = ?1";
            let handled = server.observer.query_row(sql, [*id], |row| row.get(0));
            match handled {
                Ok(1_i64) => {}
                // The job ended before it was seen.
                Ok(_) => {}
                Err(error) => return Err(format!("command {id} is forgotten: {error}")),
            }
        }
        Ok(())
    }

    /// A connection for who sends notifications; `None` if there is none now.
    pub(super) fn sender_connection(&self) -> Option<Connection> {
        let server = self.server.as_ref()?;
        let id = {
            let faults = server.faults.borrow();
            faults.hosts[faults.here].id.clone()
        };
        surviving(|| server.server.connect(&id, Who::Sender))?.ok()
    }

    /// The sender tries again after a while.
    pub(super) fn send_later(&mut self) -> Result<(), String> {
        self.pass(1_000);
        let now = self.simulated.borrow().now().timestamp_millis();
        self.post_due = Some(now);
        Ok(())
    }

    /// As a command begins a further run: it is told that it has, or has not.
    pub(super) fn begin_on_server(
        &mut self,
        run: i64,
        begin: impl Fn(&Connection) -> sql::Result<()>,
    ) -> Result<(), String> {
        for _ in 0..MAX_TRIES {
            let is_told = self.by_terminal(&begin).is_some();
            let row = query::job(self.store(), &self.root).map_err(|error| error.to_string())?;
            if row.is_some_and(|row| row.run == run) {
                return Ok(());
            }
            if is_told {
                return Err(format!("run {run} was acknowledged and is not there"));
            }
            self.pass(1_000);
        }
        Err("no rerun is taken".to_owned())
    }

    /// An attempt on one of the hosts.
    pub(super) fn attempt_name(&self, path: &str) -> Option<AttemptName> {
        let Some(server) = &self.server else {
            return AttemptName::read(&self.session.home, path);
        };
        let faults = server.faults.borrow();
        let mut homes = faults.hosts.iter().map(|host| &host.session.home);
        homes.find_map(|home| AttemptName::read(home, path))
    }

    /// What a command does, on a connection of its own; `None` if it is told nothing or dies.
    fn by_terminal<T>(&self, work: impl FnOnce(&Connection) -> sql::Result<T>) -> Option<T> {
        let server = self.server.as_ref()?;
        let id = {
            let faults = server.faults.borrow();
            faults.hosts[faults.here].id.clone()
        };
        let done = surviving(|| {
            let connection = server.server.connect(&id, Who::Terminal)?;
            work(&connection)
        });
        done?.ok()
    }
}

/// What a process does; `None` if it dies.
fn surviving<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(thrown) if thrown.is::<Crash>() => None,
        Err(thrown) => resume_unwind(thrown),
    }
}
