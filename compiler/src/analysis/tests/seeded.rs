//! Mistakes seeded into real workflows: each is found by the rule that is about it, and none of the workflows violates that
//! rule before.
//!
//! The workflows are kept outside of the repository; here is what is inserted, and the text that it replaces.

#![expect(
    clippy::disallowed_methods,
    reason = "a test of files that stay outside of the repository"
)]

use std::{collections::BTreeMap, fs};

use hpdlc_tests::corpus;

use crate::{
    analysis::{GivenProperty, JobProperties, testing::analyse_any},
    diagnostics::LintLevels,
    rules::RULES,
};

const CHAIN: &str = "iis/iis-wf/iis-wf-metadataextraction/src/main/resources/eu/dnetlib/iis/wf/metadataextraction/cache/chain/oozie_app/workflow.xml";
const VALIDATE: &str = "iis/iis-wf/iis-wf-primary/src/main/resources/eu/dnetlib/iis/wf/primary/validate_output/oozie_app/workflow.xml";
const ARCHIVE: &str = "analytics-refinery/oozie/util/archive_job_output/workflow.xml";
const EMAIL: &str = "analytics-refinery/oozie/util/send_error_email/workflow.xml";
const LOOP: &str = "analytics-refinery/oozie/util/loop/loop.xml";
const CASSANDRA: &str = "analytics-refinery/oozie/cassandra/daily/workflow.xml";

/// One mistake.
struct Seed {
    document: &'static str,
    /// The first occurrence of this text is replaced by the other one.
    old: &'static str,
    new: &'static str,
    /// Given properties, which are then complete.
    given: &'static [(&'static str, &'static str)],
    rule: &'static str,
}

const fn seed(
    document: &'static str,
    old: &'static str,
    new: &'static str,
    rule: &'static str,
) -> Seed {
    Seed {
        document,
        old,
        new,
        given: &[],
        rule,
    }
}

impl Seed {
    const fn given(self, given: &'static [(&'static str, &'static str)]) -> Seed {
        Seed { given, ..self }
    }
}

/// Everything that the archive workflow requires.
const OF_ARCHIVE: [(&str, &str); 6] = [
    ("queue_name", "default"),
    ("name_node", "hdfs://nn"),
    ("job_tracker", "rm:8032"),
    ("source_directory", "hdfs://nn/in"),
    ("archive_file", "hdfs://nn/out"),
    ("check_done", "true"),
];

static SEEDS: &[Seed] = &[
    // References to other nodes.
    seed(
        CHAIN,
        "wf:actionData('check_input_isempty')",
        "wf:actionData('check_input_isemtpy')",
        "undefined_node_references",
    ),
    seed(
        CHAIN,
        "<arg>-Iinput=${input}</arg>\n\t\t\t<capture-output />",
        "<arg>-Iinput=${input}</arg>",
        "nodes_without_data",
    ),
    seed(
        CHAIN,
        "<arg>-Iinput=${input}</arg>",
        "<arg>-Iinput=${wf:actionData('get-existing-cache-id')['cache_id']}</arg>",
        "unavailable_node_references",
    ),
    seed(
        CHAIN,
        "<arg>-Ometa=${output_root}/${output_name_meta}</arg>",
        "<arg>-Ometa=${wf:actionData('get-existing-cache-id')['cache_id']}</arg>",
        "unavailable_node_references",
    ),
    seed(
        CHAIN,
        "${wf:appPath()}/transformers_common_union",
        "${wf:actionData('postprocessing-fault')['x']}",
        "nodes_without_data",
    ),
    seed(
        CHAIN,
        "<arg>${nameNode}${workingDir}/metadata_extractor",
        "<arg>${wf:actionData('decision-cache_update')['x']}/metadata_extractor",
        "nodes_without_data",
    ),
    seed(
        CHAIN,
        "${wf:errorMessage(wf:lastErrorNode())}",
        "${wf:actionData('get-existing-cache-id')['cache_id']}",
        "uncertain_node_references",
    ),
    seed(
        CHAIN,
        "${active_metadata_extraction eq \"true\"}",
        "${wf:transition('decision-is-cache-empty') eq 'cache_udpate'}",
        "impossible_transitions",
    ),
    seed(
        ARCHIVE,
        "wf:actionData('identify_content_file')",
        "wf:actionData('archive')",
        "nodes_without_data",
    ),
    seed(
        ARCHIVE,
        "error message[${wf:errorMessage(wf:lastErrorNode())}]",
        "${wf:errorMessage('archiv')}",
        "undefined_node_references",
    ),
    seed(
        ARCHIVE,
        "error message[${wf:errorMessage(wf:lastErrorNode())}]",
        "${wf:errorCode('archive') eq 'FS0009' ? 'gone' : 'other'}",
        "impossible_error_comparisons",
    ),
    seed(
        ARCHIVE,
        "error message[${wf:errorMessage(wf:lastErrorNode())}]",
        "${wf:lastErrorNode() eq 'identify_content' ? 'gone' : 'other'}",
        "impossible_error_comparisons",
    ),
    // Properties that nothing defines.
    seed(
        ARCHIVE,
        "${archive_perms}",
        "${archive_permissions}",
        "H0511",
    )
    .given(&OF_ARCHIVE),
    seed(
        ARCHIVE,
        "<name>queue_name</name>",
        "<name>queue_names</name>",
        "H0512",
    )
    .given(&OF_ARCHIVE),
    seed(
        ARCHIVE,
        "${not fs:exists(source_directory)}",
        "${not fs:exists(sourceDirectory)}",
        "H0511",
    )
    .given(&OF_ARCHIVE),
    seed(
        ARCHIVE,
        "<argument>${done_file}</argument>",
        "<argument>${done.file}</argument>",
        "H0414",
    ),
    seed(
        ARCHIVE,
        "<argument>${done_file}</argument>",
        "<argument>${wf:conf('done.file')}</argument>",
        "unset_properties",
    )
    .given(&OF_ARCHIVE),
    // Cases.
    seed(
        LOOP,
        "${loop_type eq \"list\"}",
        "${\"range\" == loop_type}",
        "shadowed_cases",
    ),
    seed(
        LOOP,
        "${loop_type eq \"list\"}",
        "${loop_type eq 'range' and loop_parallel eq 'true'}",
        "shadowed_cases",
    ),
    seed(
        LOOP,
        "${loop_type eq \"list\"}",
        "${loop_type ne \"range\"}",
        "unreachable_defaults",
    ),
    seed(
        LOOP,
        "${loop_type eq \"range\"}",
        "${loop_type} eq \"range\"",
        "never_true_cases",
    ),
    seed(
        LOOP,
        "${loop_type eq \"range\"}",
        "True",
        "never_true_cases",
    ),
    seed(
        LOOP,
        "${loop_type eq \"range\"}",
        "${1 lt 2}",
        "always_true_cases",
    ),
    seed(
        LOOP,
        "${loop_type eq \"range\"}",
        "${loop_type eq 'range' and loop_type eq 'list'}",
        "never_true_cases",
    ),
    seed(
        LOOP,
        "${loop_type eq \"range\"}",
        "${loop_type ne 'range' or loop_type ne 'list'}",
        "always_true_cases",
    ),
    seed(
        LOOP,
        "${loop_type eq \"range\"}",
        "${wf:run() + 1}",
        "never_true_cases",
    ),
    seed(
        ARCHIVE,
        "${not fs:isDir(source_directory)}",
        "${!fs:exists( source_directory )}",
        "shadowed_cases",
    ),
    seed(
        ARCHIVE,
        "${check_done ne 'true'}",
        "${check_done}",
        "never_true_cases",
    )
    .given(&[
        ("queue_name", "default"),
        ("name_node", "hdfs://nn"),
        ("job_tracker", "rm:8032"),
        ("source_directory", "hdfs://nn/in"),
        ("archive_file", "hdfs://nn/out"),
        ("check_done", "yes"),
    ]),
    // Values with a known format.
    seed(
        ARCHIVE,
        "<value>644</value>",
        "<value>0644</value>",
        "malformed_defaults",
    ),
    seed(
        ARCHIVE,
        "<value>644</value>",
        "<value>u=rw</value>",
        "malformed_fs_values",
    )
    .given(&OF_ARCHIVE),
    seed(
        ARCHIVE,
        "permissions=\"${archive_perms}\"",
        "permissions=\"rw-r--r--\"",
        "malformed_fs_values",
    ),
    seed(
        ARCHIVE,
        "<delete path=\"${archive_file}\"/>",
        "<delete path=\"archive\"/>",
        "malformed_fs_values",
    ),
    seed(
        ARCHIVE,
        "<value>2048</value>",
        "<value>2048m</value>",
        "malformed_settings",
    ),
    seed(
        CASSANDRA,
        "<name>oozie.launcher.mapred.job.queue.name</name>",
        "<name>oozie.use.system.libpath</name><value>yes</value></property><property><name>queue</name>",
        "malformed_settings",
    ),
    seed(
        VALIDATE,
        "<name-node>${nameNode}</name-node>",
        "<name-node>hdfs://nn:80z0</name-node>",
        "malformed_addresses",
    ),
    seed(
        VALIDATE,
        "<name-node>${nameNode}</name-node>",
        "<name-node>nn:8020</name-node>",
        "malformed_addresses",
    ),
    seed(
        VALIDATE,
        "<action name=\"validate-output\">",
        "<action name=\"validate-output\" retry-max=\"${tries + 'x'}\" retry-interval=\"1\">",
        "H0414",
    ),
    seed(
        EMAIL,
        "<value>analytics-alerts@wikimedia.org</value>",
        "<value>analytics-alerts@</value>",
        "malformed_defaults",
    ),
    seed(
        EMAIL,
        "<to>${to}</to>",
        "<to>a@example.org;b@example.org</to>",
        "H0606",
    ),
    seed(
        VALIDATE,
        "<name>output_remote_location</name>",
        "<name>oozie.suspend.on.nodes</name><value>validate_output</value></property><property><name>output_remote_location</name>",
        "undefined_listed_nodes",
    ),
    seed(
        EMAIL,
        "${attachments == \"UNSET\"}",
        "${parent_error_code gt 100}",
        "malformed_defaults",
    ),
    // Secrets.
    seed(
        EMAIL,
        "<subject>${subject}</subject>",
        "<subject>${subject} ${hue_password}</subject>",
        "exposed_secrets",
    ),
    seed(
        EMAIL,
        "<value>Fatal Error - Oozie Job ${parent_name}</value>",
        "<value>Fatal Error ${api_token}</value>",
        "exposed_secrets",
    ),
    seed(
        ARCHIVE,
        "<argument>${archive_parent_umask}</argument>",
        "<argument>--key=${wf:conf('s3.secret.key')}</argument>",
        "exposed_secrets",
    ),
    seed(
        ARCHIVE,
        "The job output directory ${source_directory} does not exist",
        "with ${trim(hdfsPassword)}",
        "exposed_secrets",
    ),
];

/// How often the compiler reports each rule.
fn found(text: &str, given: &[(&str, &str)]) -> BTreeMap<String, usize> {
    let given = JobProperties {
        is_complete: !given.is_empty(),
        zone: None,
        controls: None,
        properties: given
            .iter()
            .map(|(name, value)| {
                let value = (*value).to_owned();
                ((*name).to_owned(), GivenProperty { value, span: None })
            })
            .collect(),
    };
    let mut found = BTreeMap::new();
    for line in analyse_any(text, &given, LintLevels::new(RULES)).lines() {
        let rule = line.split(' ').nth(1).unwrap_or(line);
        *found.entry(rule.to_owned()).or_default() += 1;
    }
    found
}

#[test]
fn mistakes_in_real_workflows_are_found() {
    let Some(corpus) = corpus::folder() else {
        return;
    };
    let mut missed = Vec::new();
    for seed in SEEDS {
        let path = corpus.join(seed.document);
        let text = fs::read_to_string(&path).expect("the corpus has the document");
        assert!(
            text.contains(seed.old),
            "{} has not `{}`",
            seed.document,
            seed.old
        );
        let before = found(&text, seed.given);
        let after = found(&text.replacen(seed.old, seed.new, 1), seed.given);
        let count = |found: &BTreeMap<String, usize>| found.get(seed.rule).copied().unwrap_or(0);
        if count(&after) <= count(&before) {
            missed.push(format!("{}: `{}`: {after:?}", seed.rule, seed.new));
        }
    }
    assert!(
        missed.is_empty(),
        "{} of {} missed:\n{}",
        missed.len(),
        SEEDS.len(),
        missed.join("\n")
    );
}
