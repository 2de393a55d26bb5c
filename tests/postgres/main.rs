//! The job store in PostgreSQL: servers that these tests start, kill and restart. Skipped, with a line each, without PostgreSQL's programs.
//!
//! That everything else works as with a file is shown by `tests/postgres/run`, which runs other tests with a database.

#[path = "../e2e/harness.rs"]
#[allow(dead_code, reason = "the tests of e2e use the rest of it")]
mod harness;

mod access;
mod failover;
mod hosts;
mod migration;
mod network;
mod outages;
mod proxy;
mod rounds;
mod scale;
mod server;

use std::path::Path;

use self::{
    harness::{STEP, World, bare, workflow},
    server::{PostgresServer, Start},
};

/// Steps that write their names, one after the other, by an executable whose store is in a database of `server`.
fn chain(server: &PostgresServer, n_steps: usize) -> World {
    let names: Vec<String> = (0..n_steps).map(|n| format!("s{n:03}")).collect();
    let nexts = names.iter().skip(1).map(String::as_str).chain(["end"]);
    let mut nodes = String::new();
    for (name, next) in names.iter().zip(nexts) {
        nodes.push_str(&bare("step.sh", name, "0", next));
    }
    of_nodes(server, &nodes)
}

fn of_nodes(server: &PostgresServer, nodes: &str) -> World {
    let mut world = World::built_in_full(&[("workflow.xml", &workflow(nodes)), ("step.sh", STEP)]);
    world.set("HPDL_STORE_URL", &server.url());
    world
}

/// A server, unless there is none to be had on this machine.
fn server() -> Option<PostgresServer> {
    PostgresServer::start(&Start::default())
}

/// Whether nothing was written to a file in place of the database.
fn has_no_file(world: &World) -> bool {
    !Path::new(&world.home()).join("jobs.db").exists()
}
