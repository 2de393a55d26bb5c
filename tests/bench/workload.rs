//! Generated workflows: deterministic for each size.

use std::{fmt::Write as _, path::Path};

/// Nodes of one block, see [`block`].
const BLOCK: usize = 10;

/// A deterministic pseudo-random sequence (SplitMix64).
pub struct Sequence(u64);

impl Sequence {
    pub fn new(seed: u64) -> Sequence {
        Sequence(seed)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let limit = u64::try_from(limit).expect("usize has at most 64 bits");
        usize::try_from(mixed % limit).expect("below a usize")
    }
}

/// The difference between two versions of one workflow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WorkloadVersion {
    First,
    /// One literal in the middle has other digits.
    Edited,
    /// There is one more action before all others.
    Inserted,
}

/// A workflow of about `n_nodes` nodes, similar to real ones.
pub fn realistic(n_nodes: usize, version: WorkloadVersion) -> String {
    let n_blocks = n_nodes.div_ceil(BLOCK);
    let mut xml = head("bench");
    let first = if version == WorkloadVersion::Inserted {
        "inserted"
    } else {
        "decide-0"
    };
    let _ = writeln!(xml, "  <start to=\"{first}\"/>");
    let mut sequence = Sequence::new(20_090_102);
    if version == WorkloadVersion::Inserted {
        shell(
            &mut xml,
            &mut Sequence::new(7),
            "inserted",
            "decide-0",
            "2026",
        );
    }
    for number in 0..n_blocks {
        let next = if number + 1 == n_blocks {
            "end".to_owned()
        } else {
            format!("decide-{}", number + 1)
        };
        let is_edited = version == WorkloadVersion::Edited && number == n_blocks / 2;
        block(
            &mut xml,
            &mut sequence,
            number,
            &next,
            if is_edited { "2027" } else { "2026" },
        );
    }
    xml.push_str(FOOT);
    xml
}

/// Actions that run `/bin/true` in sequence.
pub fn chain(n_actions: usize) -> String {
    let mut xml = head("chain");
    xml.push_str("  <start to=\"step-0\"/>\n");
    for number in 0..n_actions {
        let next = if number + 1 == n_actions {
            "end".to_owned()
        } else {
            format!("step-{}", number + 1)
        };
        plain(&mut xml, &format!("step-{number}"), &next, "true");
    }
    xml.push_str(FOOT);
    xml
}

/// `chain` whose last actions take half a second each.
pub fn chain_that_slows(n_quick: usize, n_slow: usize) -> String {
    let mut xml = head("watched");
    xml.push_str("  <start to=\"step-0\"/>\n");
    for number in 0..n_quick {
        let next = format!("step-{}", number + 1);
        plain(&mut xml, &format!("step-{number}"), &next, "true");
    }
    for number in n_quick..n_quick + n_slow {
        let next = match number + 1 == n_quick + n_slow {
            true => "end".to_owned(),
            false => format!("step-{}", number + 1),
        };
        slow(&mut xml, &format!("step-{number}"), &next);
    }
    xml.push_str(FOOT);
    xml
}

/// `fs` actions in sequence, each of which makes a folder in a new one of `folder` and removes it.
pub fn fs(n_actions: usize, folder: &Path) -> String {
    let mut xml = head("fs");
    xml.push_str("  <start to=\"step-0\"/>\n");
    let folder = folder.display();
    for number in 0..n_actions {
        let next = if number + 1 == n_actions {
            "end".to_owned()
        } else {
            format!("step-{}", number + 1)
        };
        let _ = write!(
            xml,
            "  <action name=\"step-{number}\">
    <fs>
      <mkdir path=\"file://{folder}/fs/${{wf:id()}}/{number}\"/>
      <delete path=\"file://{folder}/fs/${{wf:id()}}/{number}\"/>
    </fs>
    <ok to=\"{next}\"/>
    <error to=\"fail\"/>
  </action>\n"
        );
    }
    xml.push_str(FOOT);
    xml
}

/// Actions that run `/bin/true` in one fork.
pub fn fork(n_actions: usize) -> String {
    let mut xml = head("fork");
    xml.push_str("  <start to=\"split\"/>\n    <fork name=\"split\">\n");
    for number in 0..n_actions {
        let _ = writeln!(xml, "    <path start=\"branch-{number}\"/>");
    }
    xml.push_str("  </fork>\n");
    for number in 0..n_actions {
        plain(&mut xml, &format!("branch-{number}"), "together", "true");
    }
    xml.push_str("  <join name=\"together\" to=\"end\"/>\n");
    xml.push_str(FOOT);
    xml
}

/// One action that prints its start time, in nanoseconds since 1970.
pub fn clock() -> String {
    let mut xml = head("clock");
    xml.push_str(
        "  <start to=\"look\"/>
  <action name=\"look\">
    <shell xmlns=\"uri:oozie:shell-action:1.0\">
      <exec>date</exec>
      <argument>+began=%s%N</argument>
      <capture-output/>
    </shell>
    <ok to=\"end\"/>
    <error to=\"fail\"/>
  </action>\n",
    );
    xml.push_str(FOOT);
    xml
}

/// A decision of this many cases that compute something, between a case for region `first` and one for `last`.
pub fn decision(n_cases: usize) -> String {
    let mut xml = "<workflow-app name=\"bench-decision\" xmlns=\"uri:oozie:workflow:1.0\">
  <start to=\"choose\"/>
  <decision name=\"choose\">
    <switch>
      <case to=\"end\">${region eq 'first'}</case>
"
    .to_owned();
    // A program with that many different functions would measure rustc.
    for number in (0..n_cases).map(|number| number % 100) {
        xml.push_str(&format!(
            "      <case to=\"fail\">${{shards * KB gt {number} * MB + 9 * KB and region ne 'none'}}</case>\n"
        ));
    }
    xml.push_str(
        "      <case to=\"end\">${region eq 'last'}</case>
      <default to=\"fail\"/>
    </switch>
  </decision>
  <kill name=\"fail\"><message>no case</message></kill>
  <end name=\"end\"/>
</workflow-app>
",
    );
    xml
}

/// Lines for `hpdlc eval`.
pub fn templates(n_lines: usize) -> String {
    let shapes = [
        "/data/${concat(region, '-')}/part",
        "${shards * 1024 + N}",
        "${trim(queue)}/${urlEncode(region)}",
        "${shards gt N and not empty region}",
        "plain text of the usual length without any expression",
        "${replaceAll(day, '-', '/')}",
    ];
    let mut sequence = Sequence::new(3);
    (0..n_lines).fold(String::new(), |mut lines, _| {
        let shape = shapes[sequence.below(shapes.len())];
        lines.push_str(&shape.replace('N', &sequence.below(100).to_string()));
        lines.push('\n');
        lines
    })
}

const FOOT: &str = "  <kill name=\"fail\">
    <message>failed at ${wf:lastErrorNode()}: ${wf:errorMessage(wf:lastErrorNode())}</message>
  </kill>
  <end name=\"end\"/>
</workflow-app>
";

fn head(name: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<workflow-app name=\"hpdlc-bench-{name}\" xmlns=\"uri:oozie:workflow:1.0\">\n"
    )
}

/// An action that has only a program.
fn plain(xml: &mut String, name: &str, next: &str, program: &str) {
    let _ = write!(
        xml,
        "  <action name=\"{name}\">
    <shell xmlns=\"uri:oozie:shell-action:1.0\">
      <exec>{program}</exec>
    </shell>
    <ok to=\"{next}\"/>
    <error to=\"fail\"/>
  </action>\n"
    );
}

/// A `shell` action that sleeps for half a second.
fn slow(xml: &mut String, name: &str, next: &str) {
    let _ = write!(
        xml,
        "  <action name=\"{name}\">
    <shell xmlns=\"uri:oozie:shell-action:1.0\">
      <exec>sleep</exec>
      <argument>0.5</argument>
    </shell>
    <ok to=\"{next}\"/>
    <error to=\"fail\"/>
  </action>\n"
    );
}

/// Ten nodes: a decision, an `fs` action in one of its branches, `shell`, `java`, a fork of two, and two more.
fn block(xml: &mut String, sequence: &mut Sequence, number: usize, next: &str, year: &str) {
    let _ = write!(
        xml,
        "  <decision name=\"decide-{number}\">
    <switch>
      <case to=\"load-{number}\">${{shards gt {limit} and wf:conf('mode') ne 'full'}}</case>
      <case to=\"load-{number}\">${{region eq 'r{limit}'}}</case>
      <default to=\"clean-{number}\"/>
    </switch>
  </decision>
  <action name=\"clean-{number}\">
    <fs>
      <delete path=\"${{nameNode}}/data/{number}/${{day}}\"/>
      <mkdir path=\"${{nameNode}}/data/{number}/${{day}}/out\"/>
    </fs>
    <ok to=\"load-{number}\"/>
    <error to=\"fail\"/>
  </action>\n",
        limit = sequence.below(50),
    );
    shell(
        xml,
        sequence,
        &format!("load-{number}"),
        &format!("transform-{number}"),
        year,
    );
    java(xml, sequence, number);
    let _ = write!(
        xml,
        "  <fork name=\"split-{number}\">
    <path start=\"left-{number}\"/>
    <path start=\"right-{number}\"/>
  </fork>\n"
    );
    shell(
        xml,
        sequence,
        &format!("left-{number}"),
        &format!("together-{number}"),
        "2026",
    );
    shell(
        xml,
        sequence,
        &format!("right-{number}"),
        &format!("together-{number}"),
        "2026",
    );
    let _ = writeln!(
        xml,
        "  <join name=\"together-{number}\" to=\"verify-{number}\"/>"
    );
    shell(
        xml,
        sequence,
        &format!("verify-{number}"),
        &format!("report-{number}"),
        "2026",
    );
    shell(xml, sequence, &format!("report-{number}"), next, "2026");
}

fn configuration(xml: &mut String, sequence: &mut Sequence) {
    xml.push_str("      <configuration>\n");
    for number in 0..7 {
        let salt = sequence.below(1000);
        let value = match (number, sequence.below(3)) {
            (0, _) => "${queue}".to_owned(),
            (1, _) => format!("${{nameNode}}/warehouse/t{salt}/day=${{day}}"),
            (2, 0) => format!("${{concat(region, '-{salt}')}}"),
            (2, 1) => format!("${{shards * {salt} + 64 * MB}}"),
            (2, _) => format!("${{firstNotNull(wf:conf('size.{salt}'), '{salt}')}}"),
            _ => format!("com.example.pipeline.Setting{salt}"),
        };
        let _ = write!(
            xml,
            "        <property>
          <name>pipeline.setting.{number}</name>
          <value>{value}</value>
        </property>\n"
        );
    }
    xml.push_str("      </configuration>\n");
}

fn shell(xml: &mut String, sequence: &mut Sequence, name: &str, next: &str, year: &str) {
    let _ = write!(
        xml,
        "  <action name=\"{name}\">
    <shell xmlns=\"uri:oozie:shell-action:1.0\">
      <resource-manager>${{resourceManager}}</resource-manager>
      <name-node>${{nameNode}}</name-node>\n"
    );
    configuration(xml, sequence);
    let _ = write!(
        xml,
        "      <exec>run-{kind}.sh</exec>
      <argument>--since={year}-01-{day:02}</argument>
      <argument>${{nameNode}}/in/${{region}}/${{day}}</argument>
      <env-var>ATTEMPT=${{wf:run()}}-{name}</env-var>
      <file>${{nameNode}}/bin/run-{kind}.sh</file>
    </shell>
    <ok to=\"{next}\"/>
    <error to=\"fail\"/>
  </action>\n",
        kind = sequence.below(9),
        day = 1 + sequence.below(28),
    );
}

fn java(xml: &mut String, sequence: &mut Sequence, number: usize) {
    let _ = write!(
        xml,
        "  <action name=\"transform-{number}\">
    <java>
      <resource-manager>${{resourceManager}}</resource-manager>
      <name-node>${{nameNode}}</name-node>\n"
    );
    configuration(xml, sequence);
    let _ = write!(
        xml,
        "      <main-class>com.example.pipeline.Transform{kind}</main-class>
      <java-opts>-Xmx${{heap}}m</java-opts>
      <arg>${{replaceAll(day, '-', '/')}}</arg>
      <arg>--block={number}</arg>
    </java>
    <ok to=\"split-{number}\"/>
    <error to=\"fail\"/>
  </action>\n",
        kind = sequence.below(20),
    );
}
