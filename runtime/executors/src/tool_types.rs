//! The evaluation of the action types that become a [`Tool`].

use hpdlc_program::{
    failure::ActionError,
    table::{self, App, MapReduceProgram, PigScript},
};

use crate::{Evaluate, Evaluation, ToolKind, Work, pig_host, tool::Tool};

/// The types whose body determines nothing else.
macro_rules! tools {
    ($($name:ident),*) => {$(
        impl Evaluate for table::$name {
            fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
                let tool = Tool::evaluate(cx, ToolKind::$name, self, false)?;
                Ok(Work::Tool(Box::new(tool)))
            }
        }
    )*};
}

tools! { Distcp, Hive, Hive2, Spark, Sqoop }

impl Evaluate for table::MapReduce {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        let kind = match self.program {
            MapReduceProgram::Classes => ToolKind::MapReduce,
            MapReduceProgram::Streaming(_) => ToolKind::Streaming,
            MapReduceProgram::Pipes(_) => ToolKind::Pipes,
        };
        let tool = Tool::evaluate(cx, kind, self, self.of_proposal)?;
        Ok(Work::Tool(Box::new(tool)))
    }
}

impl Evaluate for table::Pig {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        match &self.script {
            PigScript::Here(_) => {
                let tool = Tool::evaluate(cx, ToolKind::Pig, self, false)?;
                Ok(Work::Tool(Box::new(tool)))
            }
            PigScript::OnHost(host, script) => {
                Ok(Work::Ssh(pig_host::evaluate(cx, self, host, script)?))
            }
        }
    }

    fn is_blocking(&self, app: &App) -> bool {
        match self.script {
            PigScript::Here(_) => self.reads_files(app),
            // The script is read.
            PigScript::OnHost(..) => true,
        }
    }
}
