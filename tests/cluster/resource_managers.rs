//! Several resource managers, of which one is active: the first does not run, the second is a standby, the third is the cluster's.
//! Hadoop's tools are configured with all three, too.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    os::unix::fs::symlink,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;

use crate::{
    applications::{await_gate, gated, open, ready, states},
    cluster::Cluster,
    finish,
    harness::{World, node, text},
    share, wait_for,
};

/// The `<resource-manager>` in that case: a logical name, no host.
const LOGICAL: &str = "-DresourceManager=the-cluster";

/// The web pages of a standby: they redirect a browser after a while. Counts the requests.
fn standby(active: &str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let n_asked = Arc::new(AtomicUsize::new(0));
    let (active, counter) = (active.to_owned(), Arc::clone(&n_asked));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            counter.fetch_add(1, Ordering::SeqCst);
            let headers = BufReader::new(&stream).lines().map_while(Result::ok);
            headers.take_while(|line| !line.is_empty()).for_each(drop);
            let page = format!("This is standby RM. The redirect url is: {active}/\n");
            let _ = write!(
                &stream,
                "HTTP/1.1 200 OK\r\nRefresh: 3; url={active}/\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n{page}",
                page.len()
            );
        }
    });
    (address, n_asked)
}

/// A folder with the cluster's configuration, in which `yarn-site.xml` is changed.
pub fn reconfigured(
    cluster: &Cluster,
    change: impl FnOnce(&mut BTreeMap<String, String>),
) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let conf = cluster.folder.join("conf");
    for entry in fs::read_dir(&conf).expect("a folder") {
        let entry = entry.expect("an entry");
        if entry.file_name() != "yarn-site.xml" {
            let link = folder.path().join(entry.file_name());
            symlink(entry.path(), link).expect("a link");
        }
    }
    let text = fs::read_to_string(conf.join("yarn-site.xml")).expect("it is there");
    let site = hpdlc_core::configuration::parse(&text).expect("a configuration");
    let mut site = site.to_map();
    change(&mut site);
    let text = hpdlc_core::configuration::write(&site).expect("XML");
    fs::write(folder.path().join("yarn-site.xml"), text).expect("a file");
    folder
}

/// Three resource managers.
fn of_three(site: &mut BTreeMap<String, String>, standby: &str) {
    // No process listens at the first one's port, which only root may use.
    let nobody = "127.0.0.1:1";
    let web = "yarn.resourcemanager.webapp.address";
    for name in [
        "yarn.resourcemanager.address",
        "yarn.resourcemanager.scheduler.address",
        "yarn.resourcemanager.resource-tracker.address",
        "yarn.resourcemanager.admin.address",
        web,
    ] {
        let own = site.remove(name).expect("it is set");
        let of_standby = if name == web { standby } else { nobody };
        for (id, address) in [
            ("away", nobody),
            ("standby", of_standby),
            ("active", own.as_str()),
        ] {
            site.insert(format!("{name}.{id}"), address.to_owned());
        }
    }
    for (name, value) in [
        ("yarn.resourcemanager.ha.enabled", "true"),
        ("yarn.resourcemanager.ha.rm-ids", "away,standby,active"),
        ("yarn.resourcemanager.cluster-id", "the-cluster"),
        ("yarn.client.failover-sleep-base-ms", "100"),
        ("yarn.client.failover-sleep-max-ms", "500"),
    ] {
        site.insert(name.to_owned(), value.to_owned());
    }
}

/// A gated job in such a world that has started; the folder of its configuration, and the number of requests to the standby.
fn begun(
    cluster: &Cluster,
    name: &str,
) -> (
    World,
    std::process::Child,
    tempfile::TempDir,
    Arc<AtomicUsize>,
) {
    let (address, n_asked) = standby(cluster.address("RESOURCE_MANAGER_WEB"));
    let folder = reconfigured(cluster, |site| of_three(site, &address));
    let mut world = gated(cluster);
    world.set("HADOOP_CONF_DIR", &folder.path().display().to_string());
    let mut properties = ready(cluster, name);
    properties.push(LOGICAL.to_owned());
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    let owner = world.start(&arguments);
    await_gate(&world);
    (world, owner, folder, n_asked)
}

fn info(world: &World) -> Value {
    world.info(&world.job().expect("a job"))
}

#[test]
fn the_active_one_of_several_is_followed() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "historyserver"]) else {
        return;
    };
    let (world, owner, _folder, n_asked) = begun(&cluster, "active");
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    let info = info(&world);
    let node = node(&info, "a");
    assert_eq!(node["external_status"], "SUCCEEDED", "{node:#}");
    assert!(text(&node["external_id"]).starts_with("job_"), "{node:#}");
    // The logical name is no host, so the address of the history server cannot be derived from it.
    let counters = text(&node["data"]["hadoop.counters"]);
    assert!(counters.contains("MAP_INPUT_RECORDS"), "{node:#}");
    assert!(
        n_asked.load(Ordering::SeqCst) > 0,
        "the one was asked that stands by"
    );
}

#[test]
fn the_active_one_of_several_ends_an_application() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let (world, owner, _folder, _) = begun(&cluster, "ended");
    world
        .call(&["kill", &world.job().expect("a job")])
        .expect(0);
    finish(owner).expect(1);
    wait_for("the application to be killed", || {
        (states(&cluster, &world) == ["KILLED KILLED"]).then_some(())
    });
    assert_eq!(node(&info(&world), "a")["status"], "KILLED");
}
