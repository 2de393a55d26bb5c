//! Limits of the processes of a job.

use crate::harness::World;

#[test]
fn a_job_that_may_not_open_enough_files_says_so_and_goes_on_where_it_may() {
    let mut nodes = String::from("<fork name=\"all\">");
    let names: Vec<String> = (0..60).map(|n| format!("n{n:02}")).collect();
    for name in &names {
        nodes.push_str(&format!("<path start='{name}'/>"));
    }
    nodes.push_str("</fork>");
    for name in &names {
        nodes.push_str(&crate::harness::bare("step.sh", name, "0.5", "met"));
    }
    nodes.push_str("<join name='met' to='end'/>");
    let mut world = World::of_nodes(&nodes);
    let home = world.home().to_owned();
    let limited = ["prlimit", "--nofile=48"].map(str::to_owned);
    world.move_home(limited.to_vec(), home.clone());
    let ended = world.run(&[]).expect(5);
    for words in [
        "Too many open files",
        "ulimit -n",
        "hpdl.local.processes.max",
        "recover",
    ] {
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    world.move_home(vec!["env".to_owned()], home);
    world.call(&["recover"]).expect(0);
    assert_eq!(world.effects(), names);
}
