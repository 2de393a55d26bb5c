// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::core::el::functions::coord;
use ::hpdlc_runtime::table::{
    Child, Controls, Coordinator, Dataset, Event, Include, Instances, Logic, LogicKind,
    Outside, Parameter, Part, Placed, Property, Template, Uses,
};

/// The names of the properties that the texts read.
#[allow(non_upper_case_globals)]
mod p;

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
    frequency: Template::Parts(
        1,
        50,
        "${coord:hours(1)}",
        &[Part::Call(&coord::HOURS, &[Part::Long(1)])],
    ),
    start: Template::Text(1, "2026-01-01T00:00Z"),
    end: Template::Text(1, "2026-02-01T00:00Z"),
    timezone: Template::Text(2, "UTC"),
    controls: Controls {
        timeout: Some(Template::Parts(
            4,
            18,
            "${coord:hours(2)}",
            &[Part::Call(&coord::HOURS, &[Part::Long(2)])],
        )),
        concurrency: Some(Template::Text(5, "2")),
        execution: Some(Template::Text(6, "FIFO")),
        ..Controls::EMPTY
    },
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
                        text: Template::Join(
                            0,
                            23,
                            &[
                                ("", p::source),
                                ("/", p::YEAR),
                                ("-", p::MONTH),
                                ("-", p::DAY),
                                ("/", p::HOUR),
                            ],
                            "",
                        ),
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
            frequency: Template::Parts(
                10,
                42,
                "${coord:hours(1)}",
                &[Part::Call(&coord::HOURS, &[Part::Long(1)])],
            ),
            initial_instance: Template::Text(10, "2026-01-01T00:00Z"),
            timezone: Template::Text(10, "UTC"),
            uri_template: Template::Join(
                11,
                27,
                &[
                    ("", p::root),
                    ("/hours/", p::YEAR),
                    ("", p::MONTH),
                    ("", p::DAY),
                    ("-", p::HOUR),
                ],
                "",
            ),
            done_flag: None,
        },
    ],
    inputs: &[
        Event {
            name: "raw",
            dataset: Template::Text(15, "arriving"),
            instances: Instances::Each(&[
                Template::Parts(
                    15,
                    58,
                    "${coord:current(0)}",
                    &[Part::Call(&coord::CURRENT, &[Part::Long(0)])],
                ),
            ]),
            nocleanup: None,
        },
        Event {
            name: "corrected",
            dataset: Template::Text(16, "arriving"),
            instances: Instances::Range(
                Template::Parts(
                    17,
                    29,
                    "${coord:current(-2)}",
                    &[Part::Call(&coord::CURRENT, &[Part::Long(-2)])],
                ),
                Template::Parts(
                    18,
                    27,
                    "${coord:current(-1)}",
                    &[Part::Call(&coord::CURRENT, &[Part::Long(-1)])],
                ),
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
            instances: Instances::Each(&[
                Template::Parts(
                    28,
                    75,
                    "${coord:current(0)}",
                    &[Part::Call(&coord::CURRENT, &[Part::Long(0)])],
                ),
            ]),
            nocleanup: Some(Template::Text(28, "false")),
        },
    ],
    app_path: Template::Text(32, "../ingest"),
    configuration: &[
        Property::Template(
            "input",
            Template::Parts(
                34,
                52,
                "${coord:dataIn('either')}",
                &[Part::Call(&coord::DATA_IN, &[Part::Text("either")])],
            ),
        ),
        Property::Template(
            "output",
            Template::Parts(
                35,
                53,
                "${coord:dataOut(\"hour\")}",
                &[Part::Call(&coord::DATA_OUT, &[Part::Text("hour")])],
            ),
        ),
        Property::Template(
            "label",
            Template::Placed(&Placed {
                text: Template::Parts(
                    36,
                    52,
                    "a & ${coord:formatTime(coord:nominalTime(), 'yyyy')}",
                    &[
                        Part::Text("a & "),
                        Part::Call(
                            &coord::FORMAT_TIME,
                            &[Part::Call(&coord::NOMINAL_TIME, &[]), Part::Text("yyyy")],
                        ),
                    ],
                ),
                expressions: &[(0, 60)],
            }),
        ),
    ],
    workflows: &[Child { uri: "../ingest", app: 0 }, Child { uri: "${wf:appPath()}", app: 0 }],
    ..Coordinator::EMPTY
};
