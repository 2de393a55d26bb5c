//! A job of Java classes, using the old or the new API.

use std::collections::BTreeMap;

use hpdlc_program::failure::ActionError;

use crate::{
    AttemptPlace,
    tool::{
        Tool, ToolCall, ToolGround, ToolType,
        map_reduce::{job, submission, submitted_job},
        resources::{self, Resource},
    },
};

pub static TYPE: ToolType = ToolType {
    find: uber_jar,
    ..submitted_job(call)
};

/// The job's JAR, with its libraries inside.
const UBER_JAR: &str = "oozie.mapreduce.uber.jar";
const IS_UBER_JAR_ENABLED: &str = "oozie.action.mapreduce.uber.jar.enable";

fn call(_: &Tool, ground: &ToolGround) -> Result<ToolCall, ActionError> {
    let mut own = BTreeMap::new();
    if let Some(jar) = &ground.found {
        own.insert("mapreduce.job.jar".to_owned(), jar.clone());
    }
    submission(ground, &job(ground, own))
}

/// The URI of the JAR: a relative path is one of the application, an absolute one without a scheme is on the name node.
///
/// # Errors
///
/// MR003: the site forbids it.
fn uber_jar(
    tool: &Tool,
    place: &AttemptPlace<'_>,
    _: &[Resource],
) -> Result<Option<String>, ActionError> {
    let Some(jar) = tool.configuration.get(UBER_JAR) else {
        return Ok(None);
    };
    // Allowed by default, unlike in Oozie; the site can forbid it.
    let is_refused = tool
        .settings
        .get(IS_UBER_JAR_ENABLED)
        .is_some_and(|value| value.trim() == "false");
    if is_refused {
        let problem = format!("{UBER_JAR} is set, and {IS_UBER_JAR_ENABLED} is false");
        return Err(ActionError::error("MR003", problem));
    }
    let jar = jar.trim();
    if jar.contains(':') {
        return Ok(Some(jar.to_owned()));
    }
    if !jar.starts_with('/') {
        return Ok(Some(resources::file_uri(&place.app_folder.join(jar))));
    }
    Ok(Some(match tool.name_node.as_deref() {
        Some(name_node) => format!("{}{jar}", name_node.trim_end_matches('/')),
        None => resources::file_uri(jar.as_ref()),
    }))
}

#[cfg(test)]
mod tests {
    use std::{path::Path, sync::atomic::AtomicBool};

    use hpdlc_launcher::Attempt;

    use super::*;
    use crate::ToolKind;
    use crate::tool::{
        call::testing::{self, ground, map, resource, tool},
        resources::ResourceRole,
    };

    /// The properties of the job other than those that Oozie adds.
    fn properties(tool: &Tool, ground: &ToolGround) -> BTreeMap<String, String> {
        let call = testing::call(tool, ground);
        assert_eq!(call.arguments, ["job", "-submit", "job.xml"]);
        let (name, text) = &call.files[0];
        assert_eq!(name, "job.xml");
        let mut all = hpdlc_core::configuration::parse(text).unwrap().to_map();
        for (name, value) in testing::ground(tool).configuration {
            if all.get(&name) == Some(&value) {
                all.remove(&name);
            }
        }
        all
    }

    #[test]
    fn files_come_along_by_where_they_lie() {
        let tool = tool(ToolKind::MapReduce, []);
        let mut ground = ground(&tool);
        ground.resources = vec![
            resource("file:///app/a b.txt", "a b.txt", ResourceRole::Link),
            resource("file:///app/c.txt", "d", ResourceRole::Link),
            resource("hdfs://nn/e", "f", ResourceRole::Link),
            resource("file:///app/lib/g.jar", "g.jar", ResourceRole::Jar),
            resource("hdfs://nn/h.jar", "h.jar", ResourceRole::Jar),
            resource("file:///app/i.zip", "j", ResourceRole::Archive),
            resource("hdfs://nn/k.zip", "k.zip", ResourceRole::Archive),
        ];
        let expected = map([
            ("tmpfiles", "file:///app/a%20b.txt,file:///app/c.txt#d"),
            ("tmpjars", "file:///app/lib/g.jar"),
            ("tmparchives", "file:///app/i.zip#j"),
            (
                "mapreduce.job.cache.files",
                "hdfs://nn/e#f,hdfs://nn/h.jar#h.jar",
            ),
            ("mapreduce.job.classpath.files", "hdfs://nn/h.jar"),
            ("mapreduce.job.cache.archives", "hdfs://nn/k.zip#k.zip"),
        ]);
        assert_eq!(properties(&tool, &ground), expected);
    }

    #[test]
    fn an_uber_jar_is_the_jar_of_the_job() {
        for (written, expected) in [
            ("lib/all.jar", "file:///app/lib/all.jar"),
            ("/jars/all.jar", "hdfs://nn:8020/jars/all.jar"),
            ("s3a://b/all.jar", "s3a://b/all.jar"),
        ] {
            let mut tool = tool(ToolKind::MapReduce, []);
            tool.configuration = map([(UBER_JAR, written)]);
            let (attempt, never) = (Attempt::new("/w/1"), AtomicBool::new(false));
            let place = AttemptPlace {
                job_id: "0-W",
                node: "act",
                attempt: &attempt,
                app_folder: Path::new("/app"),
                app_path: "/app",
                home: Path::new("/home"),
                is_canceled: &never,
            };
            let mut ground = ground(&tool);
            ground.found = (TYPE.find)(&tool, &place, &[]).unwrap();
            let expected = map([("mapreduce.job.jar", expected)]);
            assert_eq!(properties(&tool, &ground), expected, "{written}");
            tool.settings = map([(IS_UBER_JAR_ENABLED, "false")]);
            let error = (TYPE.find)(&tool, &place, &[]).unwrap_err();
            assert_eq!(error.code, "MR003");
        }
    }

    #[test]
    fn what_no_xml_can_hold_is_refused() {
        let mut tool = tool(ToolKind::MapReduce, []);
        tool.configuration = map([("a", "\u{1}")]);
        let error = (TYPE.call)(&tool, &ground(&tool)).unwrap_err();
        assert_eq!(error.code, "JA007");
    }

    #[test]
    fn without_yarn_there_is_no_job() {
        let mut tool = tool(ToolKind::MapReduce, []);
        tool.resource_manager = Some("local".to_owned());
        let error = (TYPE.call)(&tool, &ground(&tool)).unwrap_err();
        assert_eq!(error.code, "JA018");
        tool.resource_manager = Some("rm:8032".to_owned());
        let mut ground = ground(&tool);
        assert!((TYPE.call)(&tool, &ground).is_ok());
        ground.site = map([("mapreduce.framework.name", "local")]);
        let error = (TYPE.call)(&tool, &ground).unwrap_err();
        assert_eq!(error.code, "JA018");
    }
}
