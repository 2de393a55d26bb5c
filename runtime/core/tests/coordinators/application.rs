//! Random coordinators.

use std::collections::BTreeMap;

use hpdlc_core::{
    coordinator::{
        Controls, Coordinator, CoordinatorDefinition, DatasetText, EventText, InstanceTexts,
        JobValues, LogicText, LogicTextKind,
    },
    el::{parser::parse_template, text::Text},
    time::ProcessingZone,
};

use super::random::Random;

fn template(text: &str) -> Text {
    let parsed = parse_template(text);
    parsed
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .into()
}

fn input(name: &str, text: &str) -> EventText {
    EventText {
        name: name.to_owned(),
        dataset: template("d"),
        instances: InstanceTexts::Each(vec![template(text)]),
    }
}

/// A coordinator of the first hours of 2026, with up to some thirty actions.
pub fn random(random: &mut Random) -> Coordinator {
    let frequencies = ["5", "10", "17", "60", "0/10 * * * *", "7,9,40-44 * * * *"];
    let ends = ["00:30", "01:00", "02:05", "03:00"];
    let mut controls = Controls::default();
    let mut control = |of: &[&str]| {
        let text = random.pick(of);
        (!text.is_empty()).then(|| template(text))
    };
    controls.timeout = control(&["", "0", "5", "30", "-1"]);
    controls.concurrency = control(&["", "1", "2", "3", "-1"]);
    controls.execution = control(&["", "FIFO", "LIFO", "LAST_ONLY", "NONE"]);
    controls.throttle = control(&["", "1", "2", "5"]);
    let mut definition = CoordinatorDefinition {
        name: template("c"),
        frequency: template(random.pick(&frequencies)),
        start: template("2026-01-01T00:00Z"),
        end: template(&format!("2026-01-01T{}Z", random.pick(&ends))),
        timezone: template("UTC"),
        controls,
        datasets: BTreeMap::from([(
            "d".to_owned(),
            DatasetText {
                frequency: template("10"),
                initial_instance: template("2025-12-31T22:00Z"),
                timezone: template("UTC"),
                uri_template: template("/${DAY}-${HOUR}:${MINUTE}"),
                done_flag: Some(template("")),
            },
        )]),
        inputs: Vec::new(),
        input_logic: None,
        outputs: Vec::new(),
        sla: None,
    };
    match random.below(6) {
        0 | 1 => {}
        2 => definition.inputs.push(input("a", "${coord:current(0)}")),
        3 => {
            let range = "${coord:currentRange(-2,0)}";
            definition.inputs.push(input("a", range));
            definition.inputs.push(input("b", "${coord:latest(0)}"));
        }
        4 => definition.inputs.push(input("a", "${coord:future(1,3)}")),
        _ => {
            definition.inputs.push(input("a", "${coord:current(0)}"));
            definition
                .inputs
                .push(input("b", "${coord:currentRange(-3,-1)}"));
            definition.input_logic = Some(logic(random));
        }
    }
    let job = JobValues::new(BTreeMap::new(), None, ProcessingZone::UTC);
    definition.resolve(job).expect("is sound")
}

fn logic(random: &mut Random) -> LogicText {
    let mut leaf = |name: &str| LogicText {
        kind: LogicTextKind::Input(template(name)),
        name: None,
        min: random.percent(30).then(|| template("1")),
        wait: random.percent(40).then(|| template("7")),
    };
    let leaves = vec![leaf("a"), leaf("b")];
    LogicText {
        kind: if random.percent(50) {
            LogicTextKind::And(leaves)
        } else {
            LogicTextKind::Or(leaves)
        },
        name: None,
        min: None,
        wait: None,
    }
}
