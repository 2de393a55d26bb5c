//! The `distcp` action: a copy between file systems by a MapReduce job (`DistcpActionExecutor`, `DistcpMain`).

use hpdlc_program::failure::ActionError;

use crate::tool::{
    ClusterMode, Command, ExitMeaning, Tool, ToolCall, ToolGround, ToolType,
    arguments::args,
    ids::{COMPLETED, COMPLETED_SUCCESSFULLY, SUBMITTED},
};

pub static TYPE: ToolType = ToolType::new(
    |_| ClusterMode::Waits,
    Command {
        name: "hadoop",
        system: "Hadoop",
    },
    call,
    &[SUBMITTED, COMPLETED, COMPLETED_SUCCESSFULLY],
    ExitMeaning::Exception {
        message: "Returned value from distcp is non-zero ({code})",
    },
);

fn call(tool: &Tool, _: &ToolGround) -> Result<ToolCall, ActionError> {
    let mut arguments = ["distcp", "-conf", "action.xml"]
        .map(str::to_owned)
        .to_vec();
    arguments.extend(args(tool));
    Ok(ToolCall {
        arguments,
        environment: Vec::new(),
        files: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{self, ground, tool};

    #[test]
    fn arguments_are_those_of_the_command_line() {
        let tool = tool(
            ToolKind::Distcp,
            [
                ("java-opts", "-Xmx1g"),
                ("arg", "-Dmapreduce.job.queuename=q"),
                ("arg", " -update "),
                ("arg", "hdfs://a/x y"),
                ("arg", "hdfs://b/x"),
            ],
        );
        let call = testing::call(&tool, &ground(&tool));
        let expected = [
            "distcp",
            "-conf",
            "action.xml",
            "-Dmapreduce.job.queuename=q",
            "-update",
            "hdfs://a/x y",
            "hdfs://b/x",
        ];
        assert_eq!(
            (TYPE.command.name, &call.arguments[..]),
            ("hadoop", &expected.map(str::to_owned)[..])
        );
        let error = TYPE.exit.error(255, Some("CopyListing failed"));
        assert_eq!(error.code, "JA018");
        assert_eq!(
            error.message,
            "Returned value from distcp is non-zero (255): CopyListing failed"
        );
    }
}
