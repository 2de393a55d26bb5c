//! Diagnostics of every shape, for the tests of the renderers.

use crate::{
    diagnostics::{Applicability, Code, Diagnostic, Level, Lint, LintLevel},
    source::{FileId, SourceMap, Span},
};

static UNDEFINED: Code = Code {
    id: "H9901",
    name: "undefined_thing",
    level: Level::Error,
    oozie: &["E0708"],
    explanation: "",
};

static UNUSED: Lint = Lint {
    name: "unused_things",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: "",
};

pub(super) const WORKFLOW: &str = "\u{feff}<workflow-app>\r\n    <!-- é𝄞 --> <ok to=\"clean-up\"/>\r\n    <a/>\n    <b/>\n    \
    <c/>\n    <d/>\n    <e/>\n    <f/>\n    <g/>\n    <kill name=\"cleanup\"/>\n</workflow-app>\n";

const PROPERTIES: &str = "# queue\nqueue = default\n";

/// The span of the first occurrence of `part` in `text`.
#[track_caller]
pub(super) fn place(file: FileId, text: &str, part: &str) -> Span {
    let start = u32::try_from(text.find(part).unwrap()).unwrap();
    Span::new(file, start, start + u32::try_from(part.len()).unwrap())
}

/// In this order: a suggestion and a far label; a lint with a label in another file, notes and help; a whole file; a path.
pub(super) fn every_kind() -> (SourceMap, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let workflow = sources.add("app/workflow.xml".to_owned(), WORKFLOW.to_owned());
    let properties = sources.add("job.properties".to_owned(), PROPERTIES.to_owned());
    let target = place(workflow, WORKFLOW, "clean-up");
    let diagnostics = vec![
        Diagnostic::new(&UNDEFINED, target, "undefined node `clean-up`")
            .label(target, "no node has this name")
            .label(
                place(workflow, WORKFLOW, "cleanup"),
                "this node is not reached",
            )
            .suggest(
                target,
                "there is a node with a similar name",
                "cleanup",
                Applicability::MaybeIncorrect,
            ),
        Diagnostic::new(
            &UNUSED,
            place(properties, PROPERTIES, "queue ="),
            "property `queue` is not used",
        )
        .label(
            place(workflow, WORKFLOW, "workflow-app"),
            "this application reads no property",
        )
        .note("properties of Oozie itself are not counted")
        .help("remove the property"),
        Diagnostic::for_file(&UNDEFINED, workflow, "the document has no element").help("write one"),
        Diagnostic::for_path(&UNUSED, "app/lib", "folder `lib` is empty"),
    ];
    (sources, diagnostics)
}
