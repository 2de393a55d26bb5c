//! SLAs of a coordinator's actions: met, missed, reported, and evaluated for each action.

use crate::{
    coordinators::{DATASETS, actions, arrive, coordinator, statuses, the_coordinator, world},
    harness::{World, finish, kill_dash_nine, text, wait_for},
    notifications::NotificationServer,
};

/// The coordinator runs every ten minutes; its second action should end five minutes after its time, the first has hours.
const BLOCK: &str = r#"</workflow>
<s:info xmlns:s="uri:oozie:sla:0.2"><s:nominal-time>${coord:nominalTime()}</s:nominal-time>
<s:should-end>${coord:formatTime(coord:nominalTime(), 'mm') eq '00' ? 10 * HOURS : late}</s:should-end>
<s:alert-events>END_MET,END_MISS</s:alert-events><s:notification-msg>${coord:name()} is late</s:notification-msg></s:info>"#;

/// Two actions, each with its data; ten minutes of the clock take one second.
fn watched() -> World {
    world(&coordinator(10, "00:20", DATASETS).replace("</workflow>", BLOCK))
}

#[test]
fn what_waits_for_too_long_is_missed_and_told() {
    let server = NotificationServer::new(&["200 OK"]);
    let world = watched();
    arrive(&world, "0000");
    let url = format!(
        "-Dhpdl.sla.notification.url={}",
        server.url("$event/$nodeName/$status?$slaStatus")
    );
    let owner = world.start(&["--speed", "600", &url, "-Dlate=5"]);
    // On a busy machine the first action ends after the second is late.
    let mut asked = server.await_asked(2);
    asked.sort_unstable();
    assert_eq!(
        asked,
        ["/END_MET/1/SUCCEEDED?MET", "/END_MISS/2/WAITING?MISS"]
    );
    let id = the_coordinator(&world);
    let shown = world.call(&["actions", &id]).expect(0).stdout;
    assert!(shown.contains("SLA: END_MISS"), "{shown}");
    arrive(&world, "0010");
    assert_eq!(finish(owner).code, Some(0));
    let slas: Vec<String> = actions(&world, &id)
        .iter()
        .map(|action| text(&action["sla"]["status"]))
        .collect();
    assert_eq!(slas, ["MET", "MISS"]);
    let log = world.log(&id);
    assert!(
        log.contains("END_MISS     should end by 2026-01-01T00:15:00Z: c is late"),
        "{log}"
    );
    let one = world.call(&["info", &format!("{id}@2")]).expect(0).stdout;
    assert!(one.contains("MISS by"), "{one}");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn an_event_is_told_once_whoever_dies() {
    let world = watched();
    arrive(&world, "0000");
    let owner = world.start(&["--speed", "600", "-Dlate=5"]);
    let id = the_coordinator(&world);
    let n_missed = || {
        let log = world.log(&id);
        log.lines().filter(|line| line.contains("END_MISS")).count()
    };
    wait_for("the end to be missed", || (n_missed() > 0).then_some(()));
    kill_dash_nine(owner);
    let owner = world.spawn(&["recover", &id]);
    arrive(&world, "0010");
    assert_eq!(finish(owner).code, Some(0));
    assert_eq!(n_missed(), 1);
}

#[test]
fn an_action_whose_times_are_none_fails_and_starts_nothing() {
    let world = watched();
    arrive(&world, "0000");
    arrive(&world, "0010");
    world.run(&["--speed", "600", "-Dlate=-5"]).expect(6);
    let id = the_coordinator(&world);
    assert_eq!(statuses(&world, &id), ["SUCCEEDED", "FAILED"]);
    let second = &actions(&world, &id)[1];
    assert_eq!(second["error_code"], "E0302");
    let message = text(&second["error_message"]);
    assert!(message.contains("should-end is `-5`"), "{message}");
    assert_eq!(world.effects(), ["0000"]);
}
