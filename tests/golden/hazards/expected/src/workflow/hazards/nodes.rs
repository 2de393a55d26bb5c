// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::core::el::{functions, ops, results};
use ::hpdlc_runtime::core::el::functions::{Needs, basic, fs, wf};
use ::hpdlc_runtime::core::el::error::ElError;
use ::hpdlc_runtime::core::el::scope::{Scope, variable, variable_text};
use ::hpdlc_runtime::core::el::value::Value;
use ::hpdlc_runtime::table::{
    Action, Body, Fs, FsOperation, Java, JavaOpts, NodeDef, NodeKind, Part,
    PrepareOperation, Property, Retry, Settings, Shell, SubWorkflow, Template,
};
use super::p;

/// In the order of the document.
pub(super) static NODES: [NodeDef; 14] = [
    // The start node.
    NodeDef { name: ":start:", kind: NodeKind::Start },
    // The decision node `Self`.
    NodeDef {
        name: "Self",
        kind: NodeKind::Decision {
            cases: &[
                Template::Test(
                    2,
                    30,
                    "${wf:conf('größe.in-MB') * MB gt 10 * GB and not empty type}",
                    Needs::Job,
                    self_case_1,
                ),
                Template::Test(
                    3,
                    29,
                    "${fs:exists(concat(nameNode, '/ready')) and fs:dirSize(nameNode) / KB ge 1.5}",
                    Needs::Files,
                    self_case_2,
                ),
                Template::Property(4, 29, p::flag),
                Template::Text(5, "true"),
                Template::Parts(
                    6,
                    29,
                    "${wf:run() == 0}${flag}",
                    &[Part::Code(Needs::Job, &[], self_case_5), Part::Property(p::flag)],
                ),
                Template::Test(
                    7,
                    30,
                    "${wf:conf('größe.in-MB') * MB gt 10 * GB and not empty type}",
                    Needs::Job,
                    self_case_1,
                ),
            ],
        },
    },
    // The shell action `match`.
    NodeDef {
        name: "match",
        kind: NodeKind::Action(Action {
            retry: Retry {
                max: Some(Template::Property(0, 37, p::retries)),
                interval: Some(Template::Text(0, "1")),
                policy: Some(Template::Text(0, "exponential")),
            },
            body: Body::Shell(Shell {
                settings: Settings {
                    name_node: Some(Template::Outside(&super::GLOBAL_NAME_NODE)),
                    resource_manager: Some(Template::Around(2, 31, "yarn-", p::r#type, "")),
                    job_xml: &[
                        Template::Outside(&super::GLOBAL_JOB_XML_1),
                        Template::Text(7, "own.xml"),
                    ],
                    configuration: &[
                        Property::Template(
                            "own.property",
                            Template::Parts(
                                11,
                                28,
                                "${wf:conf('größe.in-MB') eq null ? '' : 'big'}",
                                &[Part::Code(Needs::Job, &["größe.in-MB"], match_own_property)],
                            ),
                        ),
                        Property::Template(
                            "own.bytes",
                            Template::Parts(15, 28, "${10 * GB}", &[Part::Long(10737418240)]),
                        ),
                        Property::Text("own = odd", 19, "a"),
                        Property::Text("own.lines", 23, "one\ntwo"),
                        Property::Text("own.path", 28, "\"C:\\größe\" = {x}"),
                        Property::Text("own.empty", 32, ""),
                    ],
                },
                prepare: &[
                    PrepareOperation::Delete(Template::Parts(
                        4,
                        31,
                        "${nameNode}/out/${wf:id()}",
                        &[
                            Part::Property(p::nameNode),
                            Part::Text("/out/"),
                            Part::Call(&wf::ID, &[]),
                        ],
                    )),
                    PrepareOperation::Mkdir(Template::Around(5, 30, "", p::nameNode, "/out")),
                ],
                exec: Template::Text(35, "run.sh"),
                arguments: &[
                    Template::Text(36, ""),
                    Template::Text(37, "plain"),
                    Template::Around(
                        38,
                        23,
                        "\"quotes\" {braces} {} r#\"raw\"# \\n \\\\ 'single' ",
                        p::quoted,
                        "",
                    ),
                    Template::Around(39, 23, "größe 日本語 👍 ", p::blank, ""),
                    Template::Parts(
                        40,
                        23,
                        "${10 / 4}${KB}${type}",
                        &[Part::Double(2.5), Part::Long(1024), Part::Property(p::r#type)],
                    ),
                    Template::Parts(
                        41,
                        23,
                        "${concat(type, concat('{', '}\"'))}",
                        &[
                            Part::Call(
                                &basic::CONCAT,
                                &[Part::Property(p::r#type), Part::Text("{}\"")],
                            ),
                        ],
                    ),
                    Template::Parts(
                        42,
                        23,
                        "${wf:actionData('match')['the \"key\"']}",
                        &[Part::Captured("match", "the \"key\"")],
                    ),
                    Template::Parts(
                        43,
                        23,
                        "${wf:actionData('match').key}-${wf:actionData('match').key}",
                        &[
                            Part::Captured("match", "key"),
                            Part::Text("-"),
                            Part::Captured("match", "key"),
                        ],
                    ),
                    Template::Parts(
                        44,
                        23,
                        "${toJsonStr(wf:actionData('match'))}",
                        &[
                            Part::Call(
                                &basic::TO_JSON_STR,
                                &[Part::Call(&wf::ACTION_DATA, &[Part::Text("match")])],
                            ),
                        ],
                    ),
                    Template::Parts(
                        45,
                        23,
                        "${fs:fileSize(inputDir)}",
                        &[Part::Call(&fs::FILE_SIZE, &[Part::Property(p::inputDir)])],
                    ),
                    Template::Parts(
                        46,
                        23,
                        "${firstNotNull(wf:conf('input-dir'), inputDir)}",
                        &[
                            Part::Call(
                                &basic::FIRST_NOT_NULL,
                                &[
                                    Part::Call(&wf::CONF, &[Part::Text("input-dir")]),
                                    Part::Property(p::inputDir),
                                ],
                            ),
                        ],
                    ),
                    Template::Parts(
                        47,
                        23,
                        "${type + 1}",
                        &[Part::Code(Needs::Nothing, &[p::r#type], match_argument_12)],
                    ),
                    Template::Text(48, "two\nlines"),
                ],
                env_vars: &[
                    Template::Parts(
                        50,
                        22,
                        "MODE=${wf:lastErrorNode() == null ? 'new' : 'again'}",
                        &[Part::Text("MODE="), Part::Code(Needs::Nodes, &[], match_env_var_1)],
                    ),
                    Template::Parts(
                        51,
                        22,
                        "LIMIT=${flag ? 10 * GB : 1}",
                        &[
                            Part::Text("LIMIT="),
                            Part::Code(Needs::Nothing, &[p::flag], match_env_var_2),
                        ],
                    ),
                    Template::Text(52, "PLAIN=1"),
                ],
                files: &[Template::Text(53, "run.sh#link")],
                archives: &[Template::Around(54, 22, "", p::nameNode, "/data.zip#data")],
                capture_output: true,
            }),
        }),
    },
    // The fork node `fork`.
    NodeDef { name: "fork", kind: NodeKind::Fork { branches: 4 } },
    // The fs action `a-b`.
    NodeDef {
        name: "a-b",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Fs(Fs {
                settings: Settings {
                    name_node: Some(Template::Outside(&super::GLOBAL_NAME_NODE)),
                    job_xml: &[Template::Outside(&super::GLOBAL_JOB_XML_1)],
                    ..Settings::EMPTY
                },
                operations: &[
                    FsOperation::Delete { path: Template::Text(2, "/a"), skip_trash: None },
                    FsOperation::Mkdir { path: Template::Around(3, 26, "", p::nameNode, "/b") },
                    FsOperation::Move {
                        source: Template::Text(4, "/c"),
                        target: Template::Parts(
                            4,
                            39,
                            "${concat('/d', type)}",
                            &[
                                Part::Call(
                                    &basic::CONCAT,
                                    &[Part::Text("/d"), Part::Property(p::r#type)],
                                ),
                            ],
                        ),
                    },
                    FsOperation::Chmod {
                        path: Template::Text(5, "/e"),
                        permissions: Template::Text(5, "755"),
                        dir_files: Some(Template::Text(5, "false")),
                        recursive: true,
                    },
                    FsOperation::Touchz { path: Template::Text(6, "/f") },
                    FsOperation::Chgrp {
                        path: Template::Text(7, "/g"),
                        group: Template::Parts(
                            7,
                            37,
                            "${wf:group()}",
                            &[Part::Call(&wf::GROUP, &[])],
                        ),
                        dir_files: None,
                        recursive: false,
                    },
                ],
                ..Fs::EMPTY
            }),
        }),
    },
    // The java action `a_b`.
    NodeDef {
        name: "a_b",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Java(Java {
                settings: Settings {
                    name_node: Some(Template::Outside(&super::GLOBAL_NAME_NODE)),
                    job_xml: &[Template::Outside(&super::GLOBAL_JOB_XML_1)],
                    ..Settings::EMPTY
                },
                main_class: Template::Text(2, "Main"),
                java_opts: JavaOpts::Text(Template::Parts(
                    3,
                    24,
                    "-Xmx${wf:conf('größe.in-MB')}m -Dx=y",
                    &[
                        Part::Text("-Xmx"),
                        Part::Call(&wf::CONF, &[Part::Text("größe.in-MB")]),
                        Part::Text("m -Dx=y"),
                    ],
                )),
                args: &[
                    Template::Parts(4, 18, "${timestamp()}", &[Part::Call(&basic::TIMESTAMP, &[])]),
                ],
                ..Java::EMPTY
            }),
        }),
    },
    // The java action `A-B`.
    NodeDef {
        name: "A-B",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Java(Java {
                settings: Settings {
                    name_node: Some(Template::Outside(&super::GLOBAL_NAME_NODE)),
                    job_xml: &[Template::Outside(&super::GLOBAL_JOB_XML_1)],
                    ..Settings::EMPTY
                },
                main_class: Template::Property(2, 25, p::r#type),
                java_opts: JavaOpts::List(&[
                    Template::Around(3, 23, "-Da=", p::r#type, ""),
                    Template::Text(4, "-Db"),
                ]),
                ..Java::EMPTY
            }),
        }),
    },
    // The sub-workflow action `aB`.
    NodeDef {
        name: "aB",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::SubWorkflow(SubWorkflow {
                settings: Settings {
                    name_node: Some(Template::Outside(&super::GLOBAL_NAME_NODE)),
                    job_xml: &[Template::Outside(&super::GLOBAL_JOB_XML_1)],
                    configuration: &[
                        Property::Template(
                            "title",
                            Template::Parts(
                                7,
                                28,
                                "${concat(type, concat('{', '}\"'))}",
                                &[
                                    Part::Call(
                                        &basic::CONCAT,
                                        &[Part::Property(p::r#type), Part::Text("{}\"")],
                                    ),
                                ],
                            ),
                        ),
                    ],
                    ..Settings::EMPTY
                },
                app_path: Template::Parts(
                    2,
                    23,
                    "${wf:appPath()}/child",
                    &[Part::Call(&wf::APP_PATH, &[]), Part::Text("/child")],
                ),
                propagate_configuration: true,
                ..SubWorkflow::EMPTY
            }),
        }),
    },
    // The join node `join`.
    NodeDef { name: "join", kind: NodeKind::Join },
    // The decision node `crate`.
    NodeDef {
        name: "crate",
        kind: NodeKind::Decision {
            cases: &[
                Template::Parts(2, 26, "${1 lt 2}", &[Part::Bool(true)]),
                Template::Property(3, 153, p::flag),
            ],
        },
    },
    // The shell action `load_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_mayxx`.
    NodeDef {
        name: "load_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_mayxx",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Shell(Shell {
                settings: Settings {
                    name_node: Some(Template::Outside(&super::GLOBAL_NAME_NODE)),
                    job_xml: &[Template::Outside(&super::GLOBAL_JOB_XML_1)],
                    ..Settings::EMPTY
                },
                exec: Template::Text(2, "echo"),
                arguments: &[
                    Template::Parts(
                        3,
                        23,
                        "${concat(type, wf:id())}",
                        &[
                            Part::Call(
                                &basic::CONCAT,
                                &[Part::Property(p::r#type), Part::Call(&wf::ID, &[])],
                            ),
                        ],
                    ),
                ],
                ..Shell::EMPTY
            }),
        }),
    },
    // The kill node `match-failed`.
    NodeDef {
        name: "match-failed",
        kind: NodeKind::Kill {
            message: Template::Parts(
                1,
                18,
                "${wf:errorMessage(wf:lastErrorNode())} [${wf:errorCode(wf:lastErrorNode())}]",
                &[
                    Part::Call(&wf::ERROR_MESSAGE, &[Part::Call(&wf::LAST_ERROR_NODE, &[])]),
                    Part::Text(" ["),
                    Part::Call(&wf::ERROR_CODE, &[Part::Call(&wf::LAST_ERROR_NODE, &[])]),
                    Part::Text("]"),
                ],
            ),
        },
    },
    // The kill node `_`.
    NodeDef {
        name: "_",
        kind: NodeKind::Kill { message: Template::Text(1, "") },
    },
    // The end node `Node`.
    NodeDef { name: "Node", kind: NodeKind::End },
];

/// `wf:conf('größe.in-MB') * MB gt 10 * GB and not empty type`
pub(super) fn self_case_1(scope: &dyn Scope) -> Result<bool, ElError> {
    Ok(
        results::greater(
            ops::multiply(
                &Value::from(functions::wf::conf(scope, "größe.in-MB")?),
                &Value::Long(1048576),
            ),
            Ok(Value::Long(10737418240)),
        )? && !variable(scope, "type")?.is_empty(),
    )
}

/// `fs:exists(concat(nameNode, '/ready')) and fs:dirSize(nameNode) / KB ge 1.5`
pub(super) fn self_case_2(scope: &dyn Scope) -> Result<bool, ElError> {
    Ok(
        functions::fs::exists(
            scope,
            &functions::basic::concat(&variable_text(scope, "nameNode")?, "/ready")?,
        )?
            && ops::divide_double(
                functions::fs::dir_size(scope, &variable_text(scope, "nameNode")?)?
                    as f64,
                1024.0,
            ) >= 1.5,
    )
}

/// `wf:run() == 0`
pub(super) fn self_case_5(scope: &dyn Scope) -> Result<Value, ElError> {
    Ok(Value::Bool(functions::wf::run(scope)? == 0))
}

/// `wf:conf('größe.in-MB') eq null ? '' : 'big'`
pub(super) fn match_own_property(scope: &dyn Scope) -> Result<Value, ElError> {
    Ok(
        Value::from(
            if functions::wf::conf(scope, "größe.in-MB")?.is_none() {
                "".to_string()
            } else {
                "big".to_string()
            },
        ),
    )
}

/// `type + 1`
pub(super) fn match_argument_12(scope: &dyn Scope) -> Result<Value, ElError> {
    results::add(variable(scope, "type"), Ok(Value::Long(1)))
}

/// `wf:lastErrorNode() == null ? 'new' : 'again'`
pub(super) fn match_env_var_1(scope: &dyn Scope) -> Result<Value, ElError> {
    Ok(
        Value::from(
            if functions::wf::last_error_node(scope)?.is_none() {
                "new".to_string()
            } else {
                "again".to_string()
            },
        ),
    )
}

/// `flag ? 10 * GB : 1`
pub(super) fn match_env_var_2(scope: &dyn Scope) -> Result<Value, ElError> {
    Ok(Value::Long(if variable(scope, "flag")?.to_bool()? { 10737418240i64 } else { 1 }))
}
