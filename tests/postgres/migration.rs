//! `hpdl migrate-store`: from a file to a database and back.

use hpdlc_tests::hpdl;

use super::{chain, server};
use crate::harness::World;

/// `hpdl` on the state folder of a world.
fn migrate(world: &World, arguments: &[&str]) -> crate::harness::Ended {
    world.call_other(&hpdl(), arguments)
}

#[test]
fn a_store_is_copied_to_a_database_and_back() {
    let Some(server) = server() else { return };
    let mut world = chain(&server, 3);
    let url = server.url();
    // First without a database.
    world.set("HPDL_STORE_URL", "");
    world.run(&[]).expect(0);
    let refused = migrate(
        &world,
        &["migrate-store", "--from", "sqlite", "--to", "postgres"],
    )
    .expect(2);
    assert!(
        refused.stderr.contains("hpdl.store.url"),
        "{}",
        refused.stderr
    );
    let id = world.job().expect("a job");
    let before = world.info(&id);
    world.set("HPDL_STORE_URL", &url);
    let migrated = migrate(
        &world,
        &["migrate-store", "--from", "sqlite", "--to", "postgres"],
    )
    .expect(0);
    assert!(migrated.stderr.contains("copied 1 jobs") || migrated.stdout.contains("copied 1 jobs"));
    assert_eq!(world.info(&id), before);
    world.afresh_out();
    // There is something now.
    migrate(
        &world,
        &["migrate-store", "--from", "sqlite", "--to", "postgres"],
    )
    .expect(2);
    world.run(&[]).expect(0);
    // The file has jobs, too.
    migrate(
        &world,
        &["migrate-store", "--from", "postgres", "--to", "sqlite"],
    )
    .expect(2);
    for name in ["jobs.db", "jobs.db-wal", "jobs.db-shm"] {
        let _ = std::fs::remove_file(world.home().join(name));
    }
    migrate(
        &world,
        &["migrate-store", "--from", "postgres", "--to", "sqlite"],
    )
    .expect(0);
    world.set("HPDL_STORE_URL", "");
    assert_eq!(world.info(&id), before);
    let jobs = migrate(&world, &["jobs", "--json"]).expect(0);
    assert_eq!(
        jobs.stdout.matches("SUCCEEDED").count(),
        2,
        "{}",
        jobs.stdout
    );
    world.call(&["doctor"]).expect(0);
    world.afresh_out();
    world.run(&[]).expect(0);
}

#[test]
fn an_encrypted_store_stays_so_in_a_database_and_gets_another_key_there() {
    let Some(server) = server() else { return };
    let mut world = chain(&server, 1);
    let url = server.url();
    let [old, new] = ["0a", "0b"].map(|byte| byte.repeat(32));
    world.set("HPDL_STORE_URL", "");
    world.set("HPDL_STORE_KEY", &old);
    world.run(&["-Dpassword=hunter22"]).expect(0);
    let id = world.job().expect("a job");
    let before = world.info(&id);
    world.set("HPDL_STORE_URL", &url);
    let to_database = ["migrate-store", "--from", "sqlite", "--to", "postgres"];
    migrate(&world, &to_database).expect(0);
    let properties = || server.query("SELECT string_agg(conf, ',') FROM hpdl.jobs");
    assert!(!properties().contains("hunter22"));
    assert_eq!(world.info(&id), before);
    let sealed = properties();
    world.set("HPDL_STORE_KEY", &format!("{new},{old}"));
    let encrypted = migrate(&world, &["encrypt-store"]).expect(0);
    let said = format!("{}{}", encrypted.stdout, encrypted.stderr);
    assert!(said.contains("VACUUM"), "{said}");
    assert_ne!(properties(), sealed);
    world.set("HPDL_STORE_KEY", &new);
    assert_eq!(world.info(&id), before);
    world.afresh_out();
    world.run(&["-Dpassword=hunter22"]).expect(0);
    assert!(!properties().contains("hunter22"));
    world.set("HPDL_STORE_KEY", &old);
    let refused = world.call(&["info", &id]).expect(2);
    assert!(
        refused.stderr.contains("cannot be decrypted"),
        "{}",
        refused.stderr
    );
}
