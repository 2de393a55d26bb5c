use super::*;

const JOB: &str = "1-W";

fn line(text: &str) -> NotificationLine {
    let (node, event) = text.split_once(' ').expect("two words");
    NotificationLine {
        job: JOB.to_owned(),
        node: Some(node.to_owned()).filter(|node| node != "job"),
        event: event.to_owned(),
    }
}

fn notice(id: i64, about: &str, url: &str) -> Noticed {
    Noticed {
        id,
        job: JOB.to_owned(),
        about: about.to_owned(),
        url: url.to_owned(),
        tries: 1,
        max_tries: 1,
        is_ended: true,
        problem: None,
    }
}

fn made(door: Channel, lines: &[&str], notices: &[&str]) -> Result<(), String> {
    let lines: Vec<NotificationLine> = lines.iter().map(|text| line(text)).collect();
    let url = match door.property() {
        Some((_, url)) => url,
        None => "mailto:a@x.org",
    };
    let notices: Vec<Noticed> = notices.iter().map(|about| notice(1, about, url)).collect();
    let types = BTreeMap::from([((JOB.to_owned(), "a".to_owned()), "shell")]);
    let wanted = ExpectedNotices {
        types: &types,
        children: &[],
        sla_events: &[SlaEvent::EndMiss, SlaEvent::EndMet],
        contacts: &[(JOB.to_owned(), None)],
    };
    check_made(door, &wanted, &lines, &notices)
}

#[test]
fn what_is_not_told_or_told_twice_or_in_another_order_is_found() {
    let story = [
        "job RUNNING",
        "a RUNNING",
        "a OK",
        "job SUSPENDED",
        "job SUCCEEDED",
    ];
    for (door, told, is_sound) in [
        (Channel::Job, vec!["job RUNNING", "job SUCCEEDED"], true),
        (
            Channel::Job,
            vec!["job RUNNING", "job SUSPENDED", "job SUCCEEDED"],
            true,
        ),
        (Channel::Job, vec!["job RUNNING"], false),
        (Channel::Job, vec!["job SUCCEEDED", "job RUNNING"], false),
        (
            Channel::Job,
            vec!["job RUNNING", "job SUCCEEDED", "job SUCCEEDED"],
            false,
        ),
        (Channel::Action, vec!["a RUNNING", "a OK"], true),
        (Channel::Action, vec!["a OK"], false),
        (Channel::Action, vec!["a RUNNING", "a OK", "b OK"], false),
        (Channel::ActionOfProposal, vec!["a OK"], true),
        (Channel::ActionOfProposal, vec!["a RUNNING", "a OK"], true),
        (Channel::ActionOfProposal, vec!["a RUNNING"], false),
        (Channel::JobOfProposal, vec!["job SUCCEEDED"], true),
        (Channel::JobOfProposal, vec![], false),
    ] {
        let result = made(door, &story, &told);
        assert_eq!(result.is_ok(), is_sound, "{door:?} {told:?}: {result:?}");
    }
}

#[test]
fn events_of_service_levels_are_told_by_url_and_what_is_missed_by_mail() {
    let story = ["job END_MISS", "a END_MET", "a START_MET"];
    for (door, told, is_sound) in [
        (Channel::Sla, vec!["job END_MISS", "a END_MET"], true),
        (Channel::Sla, vec!["job END_MISS"], false),
        (
            Channel::Sla,
            vec!["job END_MISS", "a END_MET", "a START_MET"],
            false,
        ),
        (Channel::Mail, vec!["job END_MISS"], true),
        (Channel::Mail, vec![], false),
    ] {
        let result = made(door, &story, &told);
        assert_eq!(result.is_ok(), is_sound, "{door:?} {told:?}: {result:?}");
    }
}

#[test]
fn a_change_after_the_end_is_found() {
    let check = |story: &[&str]| {
        let lines: Vec<NotificationLine> = story.iter().map(|text| line(text)).collect();
        check_silence(&lines).is_ok()
    };
    assert!(check(&["job RUNNING", "a OK", "job KILLED", "job NOTE"]));
    assert!(!check(&["job RUNNING", "job KILLED", "a KILLED"]));
    assert!(check(&["job KILLED", "job RERUN", "job RUNNING"]));
}

#[test]
fn words_that_belong_to_something_else_are_found() {
    let url = "http://told/action?job=1-W&node=a&status=";
    for (about, status, is_sound) in [
        ("a OK", "T:b", true),
        ("a OK", "S:RUNNING", false),
        ("a FAILED", "S:FAILED", true),
        ("a RUNNING", "S:RUNNING", true),
    ] {
        let notice = notice(1, about, &format!("{url}{status}"));
        assert_eq!(check_words(&notice).is_ok(), is_sound, "{about} {status}");
    }
    let elsewhere = url.replace("1-W", "2-W") + "T:b";
    assert!(check_words(&notice(1, "a OK", &elsewhere)).is_err());
}

#[test]
fn what_is_lost_on_the_way_or_doubled_is_found() {
    let delivery = |n_tries, n_taken, n_unrecorded| Delivery {
        n_tries,
        n_taken,
        n_unrecorded,
    };
    let delivered = notice(1, "a OK", "");
    let given_up = Noticed {
        tries: 4,
        max_tries: 4,
        problem: Some("refused".to_owned()),
        ..delivered.clone()
    };
    let waits = Noticed {
        is_ended: false,
        ..delivered.clone()
    };
    for (notice, delivery, n_warnings, is_sound) in [
        (&delivered, delivery(1, 1, 0), 0, true),
        (&delivered, delivery(2, 2, 1), 0, true),
        (&delivered, delivery(2, 2, 0), 0, false),
        (&delivered, delivery(1, 0, 0), 0, false),
        (&given_up, delivery(4, 0, 0), 1, true),
        (&given_up, delivery(4, 0, 0), 0, false),
        (&given_up, delivery(3, 0, 0), 1, false),
        (&waits, delivery(1, 0, 0), 0, false),
    ] {
        let result = check_delivered(notice, &delivery, n_warnings);
        assert_eq!(result.is_ok(), is_sound, "{result:?}");
    }
}
