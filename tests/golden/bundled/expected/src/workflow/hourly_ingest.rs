// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{
    Child, Coordinator, Dataset, Event, Include, Instances, Logic, LogicKind, Outside,
    Parameter, Placed, Properties, Property, Template, Uses,
};

/// The file, as it was given to the compiler.
const SOURCE: &str = "ingest/coordinator.xml";

/// The coordinator, for the runtime.
pub(super) static COORDINATOR: Coordinator = Coordinator {
    name: Template::Literal(1, "hourly-ingest"),
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
    frequency: Template::Text(1, 50, "${coord:hours(1)}"),
    start: Template::Literal(1, "2026-01-01T00:00Z"),
    end: Template::Literal(1, "2026-02-01T00:00Z"),
    timezone: Template::Literal(2, "UTC"),
    controls: &[
        Properties::Lines("
                        4:18 timeout = ${coord:hours(2)}
                        5 concurrency = 2
                        6 execution = FIFO
                    "),
    ],
    includes: &[
        Include {
            path: Template::Literal(9, "datasets.xml"),
            uri: Some("datasets.xml"),
            datasets: &[
                Dataset {
                    name: "arriving",
                    frequency: Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 2,
                        text: Template::Literal(0, "60"),
                    }),
                    initial_instance: Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 2,
                        text: Template::Literal(0, "2026-01-01T00:00Z"),
                    }),
                    timezone: Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 2,
                        text: Template::Literal(0, "UTC"),
                    }),
                    uri_template: Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 3,
                        text: Template::Text(0, 23, "${source}/${YEAR}-${MONTH}-${DAY}/${HOUR}"),
                    }),
                    done_flag: Some(Template::Outside(&Outside {
                        file: "golden/bundled/ingest/datasets.xml",
                        line: 4,
                        text: Template::Literal(0, ""),
                    })),
                },
            ],
        },
    ],
    datasets: &[
        Dataset {
            name: "hours",
            frequency: Template::Text(10, 42, "${coord:hours(1)}"),
            initial_instance: Template::Literal(10, "2026-01-01T00:00Z"),
            timezone: Template::Literal(10, "UTC"),
            uri_template: Template::Text(11, 27, "${root}/hours/${YEAR}${MONTH}${DAY}-${HOUR}"),
            done_flag: None,
        },
    ],
    inputs: &[
        Event {
            name: "raw",
            dataset: Template::Literal(15, "arriving"),
            instances: Instances::Each(&[Template::Text(15, 58, "${coord:current(0)}")]),
            nocleanup: None,
        },
        Event {
            name: "corrected",
            dataset: Template::Literal(16, "arriving"),
            instances: Instances::Range(
                Template::Text(17, 29, "${coord:current(-2)}"),
                Template::Text(18, 27, "${coord:current(-1)}"),
            ),
            nocleanup: None,
        },
    ],
    input_logic: Some(&Logic {
        kind: LogicKind::Or(&[
            Logic {
                kind: LogicKind::Input(Template::Literal(23, "raw")),
                name: None,
                min: Some(Template::Literal(23, "1")),
                wait: Some(Template::Literal(23, "10")),
            },
            Logic {
                kind: LogicKind::Input(Template::Literal(24, "corrected")),
                name: None,
                min: None,
                wait: None,
            },
        ]),
        name: Some(Template::Literal(22, "either")),
        min: None,
        wait: None,
    }),
    outputs: &[
        Event {
            name: "hour",
            dataset: Template::Literal(28, "hours"),
            instances: Instances::Each(&[Template::Text(28, 75, "${coord:current(0)}")]),
            nocleanup: Some(Template::Literal(28, "false")),
        },
    ],
    app_path: Template::Literal(32, "../ingest"),
    configuration: &[
        Properties::Lines("
                        34:52 input = ${coord:dataIn('either')}
                        35:53 output = ${coord:dataOut(\"hour\")}
                    "),
        Properties::One(Property::Named(
            "label",
            Template::Placed(&Placed {
                text: Template::Text(
                    36,
                    52,
                    "a & ${coord:formatTime(coord:nominalTime(), 'yyyy')}",
                ),
                expressions: &[(0, 60)],
            }),
        )),
    ],
    workflows: &[Child { uri: "../ingest", app: 0 }, Child { uri: "${wf:appPath()}", app: 0 }],
    ..Coordinator::EMPTY
};
