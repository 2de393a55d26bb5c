// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::core::el::{functions, ops, results};
use ::hpdlc_runtime::core::el::error::ElError;
use ::hpdlc_runtime::core::el::scope::{Scope, variable, variable_text};
use ::hpdlc_runtime::core::el::value::Value;
use ::hpdlc_runtime::table::{
    Action, Body, Case, Fs, FsOperation, Java, NodeDef, NodeKind, PrepareOperation,
    Properties, Property, Retry, Settings, Shell, SubWorkflow, Template, Test,
};

/// The start node.
pub(super) static START: NodeDef = NodeDef { name: ":start:", kind: NodeKind::Start };

/// The decision node `Self`.
pub(super) static SELF: NodeDef = NodeDef {
    name: "Self",
    kind: NodeKind::Decision {
        cases: &[
            Case {
                text: Template::Text(
                    2,
                    30,
                    "${wf:conf('größe.in-MB') * MB gt 10 * GB and not empty type}",
                ),
                test: Test::Holds(self_case_1),
            },
            Case {
                text: Template::Blocking(
                    3,
                    29,
                    "${fs:exists(concat(nameNode, '/ready')) and fs:dirSize(nameNode) / KB ge 1.5}",
                    self_case_2_text,
                ),
                test: Test::Holds(self_case_2),
            },
            Case { text: Template::Text(4, 29, "${flag}"), test: Test::Text },
            Case { text: Template::Literal(5, "true"), test: Test::Text },
            Case {
                text: Template::Call(6, 29, "${wf:run() == 0}${flag}", self_case_5_text),
                test: Test::Text,
            },
            Case {
                text: Template::Text(
                    7,
                    30,
                    "${wf:conf('größe.in-MB') * MB gt 10 * GB and not empty type}",
                ),
                test: Test::Holds(self_case_1),
            },
        ],
    },
};

/// `${wf:conf('größe.in-MB') * MB gt 10 * GB and not empty type}`
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

/// `${fs:exists(concat(nameNode, '/ready')) and fs:dirSize(nameNode) / KB ge 1.5}`
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

/// `${fs:exists(concat(nameNode, '/ready')) and fs:dirSize(nameNode) / KB ge 1.5}`
pub(super) fn self_case_2_text(scope: &dyn Scope) -> Result<String, ElError> {
    Ok(self_case_2(scope)?.to_string())
}

/// `${wf:run() == 0}${flag}`
pub(super) fn self_case_5_text(scope: &dyn Scope) -> Result<String, ElError> {
    let value = functions::wf::run(scope)? == 0;
    let flag = variable_text(scope, "flag")?;
    results::joined(format_args!("{value}{flag}"))
}

/// The shell action `match`.
pub(super) static MATCH: NodeDef = NodeDef {
    name: "match",
    kind: NodeKind::Action(Action {
        retry: Retry {
            max: Some(Template::Text(0, 37, "${retries}")),
            interval: Some(Template::Literal(0, "1")),
            policy: Some(Template::Literal(0, "exponential")),
        },
        body: Body::Shell(Shell {
            settings: Settings {
                elements: &[
                    Properties::One(Property::Named(
                        "name-node",
                        Template::Outside(&super::GLOBAL_NAME_NODE),
                    )),
                    Properties::Lines("
                        2:31 resource-manager = yarn-${type}
                    "),
                    Properties::One(Property::Named(
                        "job-xml",
                        Template::Outside(&super::GLOBAL_JOB_XML_1),
                    )),
                    Properties::Lines("
                        7 job-xml = own.xml
                        35 exec = run.sh
                        36 argument =
                        37 argument = plain
                        38:23 argument = \"quotes\" {braces} {} r#\"raw\"# \\n \\\\ 'single' ${quoted}
                        39:23 argument = größe 日本語 👍 ${blank}
                        40:23 argument = ${10 / 4}${KB}${type}
                        41:23 argument = ${concat(type, concat('{', '}\"'))}
                    "),
                    Properties::One(Property::Named(
                        "argument",
                        Template::Call(
                            42,
                            23,
                            "${wf:actionData('match')['the \"key\"']}",
                            match_argument_7,
                        ),
                    )),
                    Properties::One(Property::Named(
                        "argument",
                        Template::Call(
                            43,
                            23,
                            "${wf:actionData('match').key}-${wf:actionData('match').key}",
                            match_argument_8,
                        ),
                    )),
                    Properties::Lines("
                        44:23 argument = ${toJsonStr(wf:actionData('match'))}
                    "),
                    Properties::One(Property::Named(
                        "argument",
                        Template::Blocking(45, 23, "${fs:fileSize(inputDir)}", match_argument_10),
                    )),
                    Properties::Lines("
                        46:23 argument = ${firstNotNull(wf:conf('input-dir'), inputDir)}
                    "),
                    Properties::One(Property::Named(
                        "argument",
                        Template::Call(47, 23, "${type + 1}", match_argument_12),
                    )),
                    Properties::One(Property::Named(
                        "argument",
                        Template::Literal(48, "two\nlines"),
                    )),
                    Properties::One(Property::Named(
                        "env-var",
                        Template::Call(
                            50,
                            22,
                            "MODE=${wf:lastErrorNode() == null ? 'new' : 'again'}",
                            match_env_var_1,
                        ),
                    )),
                    Properties::One(Property::Named(
                        "env-var",
                        Template::Call(51, 22, "LIMIT=${flag ? 10 * GB : 1}", match_env_var_2),
                    )),
                    Properties::Lines("
                        52 env-var = PLAIN=1
                        53 file = run.sh#link
                        54:22 archive = ${nameNode}/data.zip#data
                    "),
                ],
                configuration: &[
                    Properties::One(Property::Named(
                        "own.property",
                        Template::Call(
                            11,
                            28,
                            "${wf:conf('größe.in-MB') eq null ? '' : 'big'}",
                            match_own_property,
                        ),
                    )),
                    Properties::Lines("
                        15:28 own.bytes = ${10 * GB}
                    "),
                    Properties::One(Property::Named("own = odd", Template::Literal(19, "a"))),
                    Properties::One(Property::Named(
                        "own.lines",
                        Template::Literal(23, "one\ntwo"),
                    )),
                    Properties::Lines("
                        28 own.path = \"C:\\größe\" = {x}
                        32 own.empty =
                    "),
                ],
            },
            prepare: &[
                PrepareOperation::Delete(Template::Text(4, 31, "${nameNode}/out/${wf:id()}")),
                PrepareOperation::Mkdir(Template::Text(5, 30, "${nameNode}/out")),
            ],
            capture_output: true,
        }),
    }),
};

/// `${wf:actionData('match')['the "key"']}`
pub(super) fn match_argument_7(scope: &dyn Scope) -> Result<String, ElError> {
    Ok(
        functions::wf::action_data(scope, "match")?
            .get("the \"key\"")
            .cloned()
            .unwrap_or_default(),
    )
}

/// `${wf:actionData('match').key}-${wf:actionData('match').key}`
pub(super) fn match_argument_8(scope: &dyn Scope) -> Result<String, ElError> {
    let key = functions::wf::action_data(scope, "match")?
        .get("key")
        .cloned()
        .unwrap_or_default();
    let key_2 = functions::wf::action_data(scope, "match")?
        .get("key")
        .cloned()
        .unwrap_or_default();
    results::joined(format_args!("{key}-{key_2}"))
}

/// `${fs:fileSize(inputDir)}`
pub(super) fn match_argument_10(scope: &dyn Scope) -> Result<String, ElError> {
    Ok(functions::fs::file_size(scope, &variable_text(scope, "inputDir")?)?.to_string())
}

/// `${type + 1}`
pub(super) fn match_argument_12(scope: &dyn Scope) -> Result<String, ElError> {
    results::text(results::add(variable(scope, "type"), Ok(Value::Long(1))))
}

/// `MODE=${wf:lastErrorNode() == null ? 'new' : 'again'}`
pub(super) fn match_env_var_1(scope: &dyn Scope) -> Result<String, ElError> {
    let value = if functions::wf::last_error_node(scope)?.is_none() {
        "new".to_string()
    } else {
        "again".to_string()
    };
    results::joined(format_args!("MODE={value}"))
}

/// `LIMIT=${flag ? 10 * GB : 1}`
pub(super) fn match_env_var_2(scope: &dyn Scope) -> Result<String, ElError> {
    let value = if variable(scope, "flag")?.to_bool()? { 10737418240i64 } else { 1 };
    results::joined(format_args!("LIMIT={value}"))
}

/// `${wf:conf('größe.in-MB') eq null ? '' : 'big'}`
pub(super) fn match_own_property(scope: &dyn Scope) -> Result<String, ElError> {
    Ok(
        if functions::wf::conf(scope, "größe.in-MB")?.is_none() {
            "".to_string()
        } else {
            "big".to_string()
        },
    )
}

/// The fork node `fork`.
pub(super) static FORK: NodeDef = NodeDef { name: "fork", kind: NodeKind::Fork { branches: 4 } };

/// The fs action `a-b`.
pub(super) static A_B: NodeDef = NodeDef {
    name: "a-b",
    kind: NodeKind::Action(Action {
        retry: Retry::EMPTY,
        body: Body::Fs(Fs {
            settings: Settings {
                elements: &[
                    Properties::One(Property::Named(
                        "name-node",
                        Template::Outside(&super::GLOBAL_NAME_NODE),
                    )),
                    Properties::One(Property::Named(
                        "job-xml",
                        Template::Outside(&super::GLOBAL_JOB_XML_1),
                    )),
                ],
                ..Settings::EMPTY
            },
            operations: &[
                FsOperation::Delete { path: Template::Literal(2, "/a"), skip_trash: None },
                FsOperation::Mkdir { path: Template::Text(3, 26, "${nameNode}/b") },
                FsOperation::Move {
                    source: Template::Literal(4, "/c"),
                    target: Template::Text(4, 39, "${concat('/d', type)}"),
                },
                FsOperation::Chmod {
                    path: Template::Literal(5, "/e"),
                    permissions: Template::Literal(5, "755"),
                    dir_files: Some(Template::Literal(5, "false")),
                    recursive: true,
                },
                FsOperation::Touchz { path: Template::Literal(6, "/f") },
                FsOperation::Chgrp {
                    path: Template::Literal(7, "/g"),
                    group: Template::Text(7, 37, "${wf:group()}"),
                    dir_files: None,
                    recursive: false,
                },
            ],
            ..Fs::EMPTY
        }),
    }),
};

/// The java action `a_b`.
pub(super) static A_B_2: NodeDef = NodeDef {
    name: "a_b",
    kind: NodeKind::Action(Action {
        retry: Retry::EMPTY,
        body: Body::Java(Java {
            settings: Settings {
                elements: &[
                    Properties::One(Property::Named(
                        "name-node",
                        Template::Outside(&super::GLOBAL_NAME_NODE),
                    )),
                    Properties::One(Property::Named(
                        "job-xml",
                        Template::Outside(&super::GLOBAL_JOB_XML_1),
                    )),
                    Properties::Lines("
                        2 main-class = Main
                        3:24 java-opts = -Xmx${wf:conf('größe.in-MB')}m -Dx=y
                        4:18 arg = ${timestamp()}
                    "),
                ],
                ..Settings::EMPTY
            },
            ..Java::EMPTY
        }),
    }),
};

/// The java action `A-B`.
pub(super) static A_B_3: NodeDef = NodeDef {
    name: "A-B",
    kind: NodeKind::Action(Action {
        retry: Retry::EMPTY,
        body: Body::Java(Java {
            settings: Settings {
                elements: &[
                    Properties::One(Property::Named(
                        "name-node",
                        Template::Outside(&super::GLOBAL_NAME_NODE),
                    )),
                    Properties::One(Property::Named(
                        "job-xml",
                        Template::Outside(&super::GLOBAL_JOB_XML_1),
                    )),
                    Properties::Lines("
                        2:25 main-class = ${type}
                        3:23 java-opt = -Da=${type}
                        4 java-opt = -Db
                    "),
                ],
                ..Settings::EMPTY
            },
            ..Java::EMPTY
        }),
    }),
};

/// The sub-workflow action `aB`.
pub(super) static A_B_4: NodeDef = NodeDef {
    name: "aB",
    kind: NodeKind::Action(Action {
        retry: Retry::EMPTY,
        body: Body::SubWorkflow(SubWorkflow {
            settings: Settings {
                elements: &[
                    Properties::One(Property::Named(
                        "name-node",
                        Template::Outside(&super::GLOBAL_NAME_NODE),
                    )),
                    Properties::One(Property::Named(
                        "job-xml",
                        Template::Outside(&super::GLOBAL_JOB_XML_1),
                    )),
                    Properties::Lines("
                        2:23 app-path = ${wf:appPath()}/child
                    "),
                ],
                configuration: &[
                    Properties::Lines("
                        7:28 title = ${concat(type, concat('{', '}\"'))}
                    "),
                ],
            },
            propagate_configuration: true,
        }),
    }),
};

/// The join node `join`.
pub(super) static JOIN: NodeDef = NodeDef { name: "join", kind: NodeKind::Join };

/// The decision node `crate`.
pub(super) static CRATE: NodeDef = NodeDef {
    name: "crate",
    kind: NodeKind::Decision {
        cases: &[
            Case {
                text: Template::Text(2, 26, "${1 lt 2}"),
                test: Test::Text,
            },
            Case {
                text: Template::Text(3, 153, "${flag}"),
                test: Test::Text,
            },
        ],
    },
};

/// The shell action `load_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_mayxx`.
pub(super) static LOAD_AS_LONG_AS_A_NAME_MAY_BE_AS_LONG_AS_A_NAME_MAY_BE_AS_LONG_AS_A_NAME_MAY_BE_AS_LONG_AS_A_NAME_MAY_BE_AS_LONG_AS_A_NAME_MAYXX: NodeDef = NodeDef {
    name: "load_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_mayxx",
    kind: NodeKind::Action(Action {
        retry: Retry::EMPTY,
        body: Body::Shell(Shell {
            settings: Settings {
                elements: &[
                    Properties::One(Property::Named(
                        "name-node",
                        Template::Outside(&super::GLOBAL_NAME_NODE),
                    )),
                    Properties::One(Property::Named(
                        "job-xml",
                        Template::Outside(&super::GLOBAL_JOB_XML_1),
                    )),
                    Properties::Lines("
                        2 exec = echo
                        3:23 argument = ${concat(type, wf:id())}
                    "),
                ],
                ..Settings::EMPTY
            },
            ..Shell::EMPTY
        }),
    }),
};

/// The kill node `match-failed`.
pub(super) static MATCH_FAILED: NodeDef = NodeDef {
    name: "match-failed",
    kind: NodeKind::Kill {
        message: Template::Text(
            1,
            18,
            "${wf:errorMessage(wf:lastErrorNode())} [${wf:errorCode(wf:lastErrorNode())}]",
        ),
    },
};

/// The kill node `_`.
pub(super) static NODE: NodeDef = NodeDef {
    name: "_",
    kind: NodeKind::Kill { message: Template::Literal(1, "") },
};

/// The end node `Node`.
pub(super) static NODE_2: NodeDef = NodeDef { name: "Node", kind: NodeKind::End };
