//! Ways, values, messages, files, suspensions.

use hpdlc_runtime::test::{ActionStatus, Answer, Job, JobStatus, Values};

use crate::{daily, daily::PROGRAM};

#[test]
fn a_job_takes_the_way_of_its_answers() {
    let ran = crate::daily().run();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert_eq!(
        ran.path(),
        [
            "prepare", "count", "is-empty", "both", "judge", "list", "all", "verdict", "alarm",
            "finish", "end"
        ]
    );
    assert_eq!(ran.node("count").data["longest"], "dddd");
    assert_eq!(ran.node("count").type_name, "shell");
    assert_eq!(ran.node("is-empty").transition.as_deref(), Some("both"));
    assert!(!ran.has_reached("excuse"));
    assert_eq!(ran.elapsed, std::time::Duration::ZERO);
}

#[test]
fn values_are_those_that_the_action_would_get() {
    let ran = crate::daily().given("user.name", "ann").run();
    assert_eq!(ran.values("judge").all("argument"), ["4", "3"]);
    assert_eq!(&ran.values("alarm")["subject"], "4 lines");
    assert_eq!(&ran.values("prepare")["mkdir@path"], "/data/out");
    let list = ran.values("list");
    assert_eq!(&list["configuration/property[queue]/value"], "of ann");
    assert_eq!(&list["env-var"], "AT=2026-01-01T00:00Z");
    assert_eq!(&ran.values("is-empty")["case[1]"], "true");
    assert_eq!(ran.properties["limit"], "3", "a default");
}

#[test]
fn an_action_without_an_answer_succeeds_without_data() {
    let job = Job::of(&PROGRAM).given("input", "/i").given("output", "/o");
    let ran = job.run();
    assert_eq!(
        ran.path(),
        ["prepare", "count", "is-empty", "finish", "end"]
    );
    assert!(ran.node("count").data.is_empty());
}

#[test]
fn the_message_of_a_kill_node_is_the_job_s() {
    let ran = crate::daily()
        .answer("count", Answer::error("NO_FILE", "gone"))
        .run();
    assert_eq!(ran.status, JobStatus::Killed);
    assert_eq!(
        ran.values("excuse").all("argument"),
        ["/data/out", "no count: gone"]
    );
    let message = "/data/in cannot be counted: NO_FILE";
    assert_eq!(ran.message.as_deref(), Some(message));
    assert_eq!(ran.code.as_deref(), Some("E0729"));
    assert_eq!(&ran.values("uncounted")["message"], message);
    assert_eq!(ran.node("count").status, ActionStatus::Error);
}

#[test]
fn an_error_in_a_fork_ends_the_other_branches() {
    let ran = crate::daily()
        .answer("judge", Answer::error("1", "no judgement"))
        .answer(
            "list",
            Answer::ok().takes(std::time::Duration::from_secs(9)),
        )
        .run();
    assert_eq!(ran.message.as_deref(), Some("judge: no judgement"));
    assert_eq!(ran.node("list").status, ActionStatus::Killed);
    assert_eq!(ran.elapsed, std::time::Duration::ZERO);
}

#[test]
fn a_failure_fails_the_job() {
    let ran = crate::daily()
        .answer("prepare", Answer::failed("FS001", "no such host"))
        .run();
    assert_eq!(ran.status, JobStatus::Failed);
    assert_eq!(ran.message.as_deref(), Some("prepare: no such host"));
    assert_eq!(ran.code.as_deref(), Some("FS001"));
}

#[test]
fn a_function_answers_by_the_values() {
    let judge = |values: &Values| {
        let numbers: Vec<u32> = values
            .all("argument")
            .iter()
            .flat_map(|text| text.parse())
            .collect();
        let verdict = if numbers[0] > numbers[1] {
            "Alarm"
        } else {
            "Calm"
        };
        Answer::ok().data("verdict", verdict)
    };
    let alarmed = crate::daily().answer_with("judge", judge).run();
    assert!(alarmed.has_reached("alarm"));
    let calm = crate::daily()
        .given("limit", 5)
        .answer_with("judge", judge)
        .run();
    assert!(!calm.has_reached("alarm"));
}

#[test]
fn files_are_those_that_the_test_names() {
    let calm = || crate::daily().answer("judge", Answer::ok().data("verdict", "Calm"));
    assert_eq!(calm().run().status, JobStatus::Killed);
    let ran = calm().file("/data/in/all.ok", 0).run();
    assert_eq!(ran.node("verdict").transition.as_deref(), Some("finish"));
    assert_eq!(ran.values("verdict").all("case"), ["false", "true"]);
}

#[test]
fn generated_params_are_properties() {
    let params = daily::Params {
        input: "/data/in".to_owned(),
        output: "/data/out".to_owned(),
        limit: None,
    };
    let ran = Job::of(&PROGRAM).given_all(params.properties()).run();
    assert_eq!(ran.status, JobStatus::Succeeded);
}

#[test]
fn a_job_waits_before_a_node_until_it_is_resumed() {
    let ran = crate::daily().suspend_before("alarm").run();
    assert_eq!(ran.status, JobStatus::Suspended);
    assert_eq!(ran.path().last(), Some(&"verdict"));
    assert_eq!(ran.node("alarm").status, ActionStatus::Prep);
    let ran = ran.resume();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert_eq!(ran.path().last(), Some(&"end"));

    let stops = "oozie.suspend.on.nodes";
    let ran = crate::daily().given(stops, "both, finish").run().resume();
    assert_eq!(ran.status, JobStatus::Suspended);
    assert_eq!(ran.path().last(), Some(&"alarm"));
}

#[test]
fn a_lost_action_suspends_the_job_until_it_is_answered_otherwise() {
    let ran = crate::daily().lose("count").run();
    assert_eq!(ran.status, JobStatus::Suspended);
    assert_eq!(ran.node("count").code.as_deref(), Some("HPDL_LOST"));
    let again = ran.answer("count", Answer::ok()).resume();
    assert_eq!(again.status, JobStatus::Succeeded);
    assert_eq!(again.node("count").attempts, 2);

    let ran = crate::daily()
        .lose("count")
        .given("hpdl.action.lost", "error")
        .run();
    assert!(ran.has_reached("excuse"));
}

#[test]
fn a_job_without_its_properties_is_refused() {
    let refusal = Job::of(&PROGRAM).given("input", "/data/in").try_run();
    let refusal = refusal.expect_err("output is required");
    assert!(
        refusal.message.starts_with("property output is not given"),
        "{refusal}"
    );
}
