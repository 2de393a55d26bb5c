// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{
    Child, Coordinator, Dataset, Event, Include, Instances, Logic, LogicKind, Outside,
    Parameter, Placed, Property, Template, Uses,
};

/// The file, as it was given to the compiler.
const SOURCE: &str = "ingest/coordinator.xml";

/// The coordinator, for the runtime.
pub(super) static COORDINATOR: Coordinator = Coordinator {
    name: Template::Text(1, "hourly-ingest"),
    source: SOURCE,
    folder: "ingest",
    parameters: &[
        Parameter {
            name: "root",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "11:29" }],
        },
        Parameter {
            name: "source",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[
                Uses {
                    file: "golden/bundled/ingest/datasets.xml",
                    places: "3:25",
                },
            ],
        },
    ],
    frequency: Template::Source(1, 50, "${coord:hours(1)}"),
    start: Template::Text(1, "2026-01-01T00:00Z"),
    end: Template::Text(1, "2026-02-01T00:00Z"),
    timezone: Template::Text(2, "UTC"),
    controls: &[
        Property::Template("timeout", Template::Source(4, 18, "${coord:hours(2)}")),
        Property::Text("concurrency", 5, "2"),
        Property::Text("execution", 6, "FIFO"),
    ],
    includes: &[
        Include {
            path: Template::Text(9, "datasets.xml"),
            uri: Some("datasets.xml"),
            datasets: &[
                Dataset {
                    name: "arriving",
                    frequency: Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 2,
                        text: Template::Text(0, "60"),
                    }),
                    initial_instance: Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 2,
                        text: Template::Text(0, "2026-01-01T00:00Z"),
                    }),
                    timezone: Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 2,
                        text: Template::Text(0, "UTC"),
                    }),
                    uri_template: Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 3,
                        text: Template::Source(0, 23, "${source}/${YEAR}-${MONTH}-${DAY}/${HOUR}"),
                    }),
                    done_flag: Some(Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 4,
                        text: Template::Text(0, ""),
                    })),
                },
            ],
        },
    ],
    datasets: &[
        Dataset {
            name: "hours",
            frequency: Template::Source(10, 42, "${coord:hours(1)}"),
            initial_instance: Template::Text(10, "2026-01-01T00:00Z"),
            timezone: Template::Text(10, "UTC"),
            uri_template: Template::Source(11, 27, "${root}/hours/${YEAR}${MONTH}${DAY}-${HOUR}"),
            done_flag: None,
        },
    ],
    inputs: &[
        Event {
            name: "raw",
            dataset: Template::Text(15, "arriving"),
            instances: Instances::Each(&[Template::Source(15, 58, "${coord:current(0)}")]),
            nocleanup: None,
        },
        Event {
            name: "corrected",
            dataset: Template::Text(16, "arriving"),
            instances: Instances::Range(
                Template::Source(17, 29, "${coord:current(-2)}"),
                Template::Source(18, 27, "${coord:current(-1)}"),
            ),
            nocleanup: None,
        },
    ],
    input_logic: Some(&Logic {
        kind: LogicKind::Or(&[
            Logic {
                kind: LogicKind::Input(Template::Text(23, "raw")),
                name: None,
                min: Some(Template::Text(23, "1")),
                wait: Some(Template::Text(23, "10")),
            },
            Logic {
                kind: LogicKind::Input(Template::Text(24, "corrected")),
                name: None,
                min: None,
                wait: None,
            },
        ]),
        name: Some(Template::Text(22, "either")),
        min: None,
        wait: None,
    }),
    outputs: &[
        Event {
            name: "hour",
            dataset: Template::Text(28, "hours"),
            instances: Instances::Each(&[Template::Source(28, 75, "${coord:current(0)}")]),
            nocleanup: Some(Template::Text(28, "false")),
        },
    ],
    app_path: Template::Text(32, "../ingest"),
    configuration: &[
        Property::Template("input", Template::Source(34, 52, "${coord:dataIn('either')}")),
        Property::Template("output", Template::Source(35, 53, "${coord:dataOut(\"hour\")}")),
        Property::Template(
            "label",
            Template::Placed(&Placed {
                text: Template::Source(
                    36,
                    52,
                    "a & ${coord:formatTime(coord:nominalTime(), 'yyyy')}",
                ),
                expressions: &[(0, 60)],
            }),
        ),
    ],
    workflows: &[Child { uri: "../ingest", app: 0 }, Child { uri: "${wf:appPath()}", app: 0 }],
    ..Coordinator::EMPTY
};
