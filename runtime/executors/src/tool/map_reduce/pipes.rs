//! A job of a C++ program (`PipesMain`). `mapred pipes` waits for its end.

use std::collections::BTreeMap;

use hpdlc_program::failure::ActionError;

use crate::{
    AttemptPlace,
    tool::{
        ClusterMode, ExitMeaning, Tool, ToolCall, ToolGround, ToolType,
        ids::{COMPLETED, COMPLETED_SUCCESSFULLY, SUBMITTED},
        map_reduce::{JOB_XML, job, one_job, xml},
        resources::{self, Resource},
    },
};

pub static TYPE: ToolType = ToolType {
    find: program_uri,
    ..one_job(
        |_| ClusterMode::Waits,
        call,
        &[SUBMITTED, COMPLETED, COMPLETED_SUCCESSFULLY],
        ExitMeaning::Exception {
            message: "`mapred pipes` ended with exit code {code}",
        },
    )
};

const PROGRAM: &str = "hadoop.pipes.executable";

fn call(tool: &Tool, ground: &ToolGround) -> Result<ToolCall, ActionError> {
    let mut own = properties(tool);
    if let Some(program) = &ground.found {
        own.insert(PROGRAM.to_owned(), program.clone());
    }
    let job = job(ground, own);
    if !job.contains_key(PROGRAM) {
        let problem = "pipes: there is no `program`, and no property hadoop.pipes.executable";
        return Err(ActionError::error("JA018", problem));
    }
    Ok(ToolCall {
        arguments: ["pipes", "-conf", JOB_XML].map(str::to_owned).into(),
        environment: Vec::new(),
        files: vec![(JOB_XML.to_owned(), xml(&job)?)],
    })
}

fn properties(tool: &Tool) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for (element, flag, name) in [
        (
            "pipes/map",
            "hadoop.pipes.java.mapper",
            "mapred.mapper.class",
        ),
        (
            "pipes/reduce",
            "hadoop.pipes.java.reducer",
            "mapred.reducer.class",
        ),
        (
            "pipes/inputformat",
            "hadoop.pipes.java.recordreader",
            "mapred.input.format.class",
        ),
        (
            "pipes/writer",
            "hadoop.pipes.java.recordwriter",
            "mapred.output.format.class",
        ),
        ("pipes/partitioner", "", "mapred.partitioner.class"),
    ] {
        let Some(class) = tool.texts.one(element) else {
            continue;
        };
        all.insert(name.to_owned(), class.to_owned());
        if !flag.is_empty() {
            all.insert(flag.to_owned(), "true".to_owned());
        }
    }
    all
}

/// The URI of the program for the tasks: a local one is copied to the name node's file system first.
///
/// # Errors
///
/// JA008: the application does not have it; JA001 to JA009: the file system fails.
fn program_uri(
    tool: &Tool,
    place: &AttemptPlace<'_>,
    _: &[Resource],
) -> Result<Option<String>, ActionError> {
    let Some(written) = tool.texts.one("pipes/program") else {
        return Ok(None);
    };
    let (path, link) = match written.split_once('#') {
        Some((path, link)) => (path, Some(link)),
        None => (written, None),
    };
    let uri = resources::locate(tool, place, path)?;
    let uri = match hpdlc_files::local_path(&uri) {
        Ok(file) if file.exists() => resources::upload(tool, place, &file)?,
        Ok(_) | Err(_) => uri,
    };
    Ok(Some(match link {
        Some(link) => format!("{uri}#{link}"),
        None => uri,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{self, ground, map, tool};

    #[test]
    fn every_element_is_a_property() {
        let tool = tool(
            ToolKind::Pipes,
            [
                ("pipes/map", "M"),
                ("pipes/reduce", "R"),
                ("pipes/inputformat", "I"),
                ("pipes/partitioner", "P"),
                ("pipes/writer", "W"),
                ("pipes/program", "bin/count#count"),
            ],
        );
        let mut ground = ground(&tool);
        ground.found = Some("hdfs://nn/bin/count#count".to_owned());
        let call = testing::call(&tool, &ground);
        assert_eq!(call.arguments, ["pipes", "-conf", "job.xml"]);
        let job = hpdlc_core::configuration::parse(&call.files[0].1)
            .unwrap()
            .to_map();
        for (name, value) in map([
            ("hadoop.pipes.java.mapper", "true"),
            ("mapred.mapper.class", "M"),
            ("hadoop.pipes.java.reducer", "true"),
            ("mapred.reducer.class", "R"),
            ("hadoop.pipes.java.recordreader", "true"),
            ("mapred.input.format.class", "I"),
            ("hadoop.pipes.java.recordwriter", "true"),
            ("mapred.output.format.class", "W"),
            ("mapred.partitioner.class", "P"),
            (PROGRAM, "hdfs://nn/bin/count#count"),
        ]) {
            assert_eq!(job.get(&name), Some(&value), "{name}");
        }
    }

    #[test]
    fn without_a_program_there_is_no_job() {
        let mut tool = tool(ToolKind::Pipes, []);
        let error = (TYPE.call)(&tool, &ground(&tool)).unwrap_err();
        assert_eq!(error.code, "JA018");
        tool.configuration = map([(PROGRAM, "hdfs://nn/x")]);
        assert!((TYPE.call)(&tool, &ground(&tool)).is_ok());
    }
}
