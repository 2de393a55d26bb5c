//! Log settings for the tools: to standard error, which is searched for the ids of their jobs.

use super::Tool;

/// A file for both log4j 1 and log4j 2: each ignores the keys of the other. `level` is the tool's own setting of its
/// level, for the loggers with these prefixes.
pub fn settings(tool: &Tool, level: &str, loggers: &[&str]) -> String {
    const PATTERN: &str = "%d [%t] %-5p %c %x - %m%n";
    let root = tool
        .setting("oozie.action.rootlogger.log.level")
        .unwrap_or("INFO");
    let level = tool.setting(level).unwrap_or("INFO");
    let mut lines = vec![
        format!("log4j.rootLogger={root},A"),
        "log4j.appender.A=org.apache.log4j.ConsoleAppender".to_owned(),
        "log4j.appender.A.target=System.err".to_owned(),
        "log4j.appender.A.layout=org.apache.log4j.PatternLayout".to_owned(),
        format!("log4j.appender.A.layout.ConversionPattern={PATTERN}"),
    ];
    for logger in loggers {
        lines.push(format!("log4j.logger.{logger}={level}"));
    }
    lines.extend([
        "status=error".to_owned(),
        "appender.a.type=Console".to_owned(),
        "appender.a.name=A".to_owned(),
        "appender.a.target=SYSTEM_ERR".to_owned(),
        "appender.a.layout.type=PatternLayout".to_owned(),
        format!("appender.a.layout.pattern={PATTERN}"),
        format!("rootLogger.level={root}"),
        "rootLogger.appenderRef.a.ref=A".to_owned(),
    ]);
    for (number, logger) in (1..).zip(loggers) {
        lines.push(format!("logger.l{number}.name={logger}"));
        lines.push(format!("logger.l{number}.level={level}"));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{map, tool};

    #[test]
    fn levels_are_those_of_the_settings() {
        let mut tool = tool(ToolKind::Pig, []);
        let of = |tool: &Tool| settings(tool, "oozie.pig.log.level", &["org.apache.pig"]);
        let text = of(&tool);
        assert!(text.starts_with("log4j.rootLogger=INFO,A\n"), "{text}");
        assert!(
            text.contains("\nlog4j.logger.org.apache.pig=INFO\n"),
            "{text}"
        );
        tool.configuration = map([
            ("oozie.pig.log.level", "DEBUG"),
            ("oozie.action.rootlogger.log.level", "WARN"),
        ]);
        let text = of(&tool);
        assert!(text.starts_with("log4j.rootLogger=WARN,A\n"), "{text}");
        assert!(text.contains("\nrootLogger.level=WARN\n"), "{text}");
        assert!(
            text.contains("\nlogger.l1.name=org.apache.pig\nlogger.l1.level=DEBUG\n"),
            "{text}"
        );
    }
}
