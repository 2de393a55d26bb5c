//! Pages of a coordinator: its calendar, its next week, and the forms that choose actions.

use super::{check_markup, store::with_failure};
use crate::serve::tests::{
    TestServer,
    kinds::{self, COORDINATOR},
};

/// The coordinator in Berlin, with an executable and its next time in the spring of 2030.
fn in_berlin() -> TestServer {
    let server = with_failure();
    let store = server.session.store().unwrap();
    let (next, end) = (1_901_000_000_000_i64, 1_920_000_000_000_i64);
    store
        .execute(
            "UPDATE jobs SET hash = 'feed1' WHERE id = ?1",
            [COORDINATOR],
        )
        .unwrap();
    store
        .execute(
            "UPDATE coordinators SET timezone = 'Europe/Berlin', next_time = ?2, end_time = ?3 WHERE job_id = ?1",
            (COORDINATOR, next, end),
        )
        .unwrap();
    server
}

#[test]
fn a_calendar_has_each_action_in_the_cell_of_its_time_of_the_zone() {
    let server = in_berlin();
    let at = |query: &str| {
        let path = format!("/console/job/{COORDINATOR}/timeline?{query}");
        let page = server.get(&path);
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        page.body
    };
    for (query, title, row) in [
        ("view=week&at=2026-11-25", "Week from 2026-11-23", "10:00"),
        (
            "view=day&at=2026-11-25T10:00",
            "Wednesday, 2026-11-25",
            "10:00",
        ),
        (
            "view=hour&at=2026-11-25T10:00",
            "2026-11-25, 10:00 to 10:59",
            "10:50",
        ),
        ("view=month&at=2026-11-25", "November 2026", "Week 48"),
    ] {
        let page = at(query);
        assert!(page.contains(title), "{query}: {page}");
        // 09:50 UTC.
        let line = page
            .lines()
            .find(|line| line.contains(&format!("<th scope=\"row\">{row}</th>")));
        let line = line.unwrap_or_default();
        assert!(
            line.contains("aria-label=\"action 1, 10:50, "),
            "{query}: {line}"
        );
        let is_open = |state: &str| page.contains(&format!("aria-current=\"true\">{state}<"));
        assert!(is_open(query.split(['=', '&']).nth(1).unwrap()), "{query}");
    }
    // Another week has none of them.
    assert!(!at("view=week&at=2026-11-18").contains("aria-label=\"action "));
    for (query, told) in [
        (
            "view=month&at=2026-10-05",
            "from 03:00 to 02:00 (+02:00 to +01:00)",
        ),
        (
            "view=week&at=2026-03-29",
            "from 02:00 to 03:00 (+01:00 to +02:00)",
        ),
    ] {
        let page = at(query);
        assert!(page.contains(told), "{query}: {page}");
        assert!(
            page.contains("<span class=\"note\">clocks change</span>"),
            "{query}"
        );
    }
    for wrong in ["at=%3Cscript%3E", "at=9999-12-31", "at=2026-02-30"] {
        let page = server.get(&format!("/console/job/{COORDINATOR}/timeline?{wrong}"));
        assert_eq!(page.status, 400, "{wrong}");
    }
}

#[test]
fn the_next_week_is_what_the_executable_simulates() {
    let server = in_berlin();
    let page = server
        .get(&format!("/console/job/{COORDINATOR}/forecast"))
        .body;
    for part in [
        "Sun 2030-03-31 00:30 <span class=\"muted\">+01:00</span>",
        "Sun 2030-03-31 03:30 <span class=\"muted\">+02:00</span>",
        "The clocks of Europe/Berlin change on 2030-03-31 from 02:00 to 03:00",
        "<th scope=\"row\">2030-03-31 Sun</th><td class=\"number\">2</td><td>00:30</td><td>03:30</td>",
        "&lt;b&gt;",
        "simulate --from 2030-03-29T07:33Z --to 2030-04-05T07:33Z --coordinator=nightly",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // Without its executable the page says so.
    let without = kinds::server();
    let page = without.get(&format!("/console/job/{COORDINATOR}/forecast"));
    assert!(
        page.body.contains("It cannot be simulated"),
        "{}",
        page.body
    );
}

#[test]
fn actions_that_are_over_can_be_chosen_for_a_rerun() {
    let server = in_berlin();
    let page = server.get(&format!("/console/job/{COORDINATOR}")).body;
    let address = format!("action=\"/oozie/console/job/{COORDINATOR}/command/rerun\"");
    assert_eq!(page.matches(&address).count(), 2, "{page}");
    let boxes = page
        .matches("<input type=\"checkbox\" name=\"action\"")
        .count();
    let over = page.matches(">Rerun</a>").count();
    assert!(boxes > 0 && boxes + 1 == over, "{boxes} {over}");
}

#[test]
fn what_a_stranger_wrote_of_a_coordinator_stays_text() {
    for text in [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "\u{1b}]0;x\u{7}\u{202e}gnp.exe",
        "--coordinator=x' onclick='y",
    ] {
        let server = in_berlin();
        let store = server.session.store().unwrap();
        store
            .execute(
                "UPDATE jobs SET app = ?2, \"user\" = ?2, parent_node = ?2 WHERE id = ?1",
                (COORDINATOR, text),
            )
            .unwrap();
        store
            .execute(
                "UPDATE coordinators SET timezone = ?2, frequency = ?2 WHERE job_id = ?1",
                (COORDINATOR, text),
            )
            .unwrap();
        let sent: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
        for part in [
            String::new(),
            "/timeline".to_owned(),
            format!("/timeline?view={sent}"),
            "/forecast".to_owned(),
            format!("/command/rerun?action={sent}&from={sent}&to={sent}"),
            format!("/command/change?status={sent}"),
            format!("/command/ignore?action={sent}"),
        ] {
            let page = server.get(&format!("/console/job/{COORDINATOR}{part}"));
            assert_eq!(page.status, 200, "{part}: {}", page.body);
            check_markup(&part, &page.body);
        }
    }
}
