//! Where a text ends that people read: on command lines, in mails, in logs.

use crate::model::{
    Action, ActionKind, Property, Template,
    action::{java::JavaOpts, sqoop::SqoopCommand},
};

/// A text that is shown.
pub(super) struct Outlet<'a> {
    pub(super) template: &'a Template,
    /// What the text is.
    pub(super) what: &'static str,
    /// Who reads it.
    pub(super) danger: &'static str,
    /// What to do instead.
    pub(super) help: Option<&'static str>,
    /// The name that the text has, where one that tells a secret keeps it from being shown.
    pub(super) name: Option<&'a Template>,
}

impl<'a> Outlet<'a> {
    pub(super) fn new(
        template: &'a Template,
        what: &'static str,
        danger: &'static str,
    ) -> Outlet<'a> {
        Outlet {
            template,
            what,
            danger,
            help: None,
            name: None,
        }
    }

    fn with_help(self, help: &'static str) -> Outlet<'a> {
        Outlet {
            help: Some(help),
            ..self
        }
    }
}

const ON_COMMAND_LINE: &str = "everybody on the machine can list it, and the launcher logs it";

/// A property: under a name that does not tell, its value is masked nowhere.
pub(super) fn of_property(property: &Property) -> Outlet<'_> {
    Outlet {
        template: &property.value,
        what: "a property whose name does not tell a secret",
        danger: "configurations are logged, and only what has a telling name is masked",
        help: Some(
            "give the secret a property of its own, whose name says password, secret, token or key",
        ),
        name: Some(&property.name),
    }
}

/// The texts of an action that are shown.
pub(super) fn of_action(action: &Action) -> Vec<Outlet<'_>> {
    let mut outlets = Vec::new();
    if let Some(settings) = action.kind.settings()
        && !matches!(action.kind, ActionKind::SubWorkflow(_))
    {
        outlets.extend(settings.configuration.properties.iter().map(of_property));
    }
    let arguments = |list: &'static str, help| {
        move |template| Outlet {
            template,
            what: list,
            danger: ON_COMMAND_LINE,
            help,
            name: None,
        }
    };
    match &action.kind {
        ActionKind::Email(email) => {
            outlets.push(Outlet::new(
                &email.subject,
                "the subject of a mail",
                "every mail server on the way reads it",
            ));
            outlets.extend(email.body.iter().map(|body| {
                Outlet::new(
                    body,
                    "the body of a mail",
                    "every mail server on the way reads it",
                )
            }));
        }
        ActionKind::Shell(shell) => outlets.extend(shell.arguments.iter().map(arguments(
            "an argument of a command",
            Some("give it in an `env-var`, or have the command read a file"),
        ))),
        ActionKind::Ssh(ssh) => outlets.extend(
            [&ssh.command]
                .into_iter()
                .chain(ssh.arguments.templates())
                .map(arguments(
                    "the command line of another host",
                    Some("keep the secret in a file on that host"),
                )),
        ),
        ActionKind::Java(java) => {
            const HELP: Option<&str> = Some(
                "have the program read a file, or the configuration under a name that tells a secret",
            );
            outlets.extend(
                java.args
                    .iter()
                    .map(arguments("an argument of a program", HELP)),
            );
            let options = match &java.java_opts {
                JavaOpts::None => &[],
                JavaOpts::Text(text) => std::slice::from_ref(text),
                JavaOpts::List(list) => list.as_slice(),
            };
            outlets.extend(
                options
                    .iter()
                    .map(arguments("an option of a program", HELP)),
            );
        }
        ActionKind::Spark(spark) => {
            const HELP: Option<&str> =
                Some("give it in the configuration, or in a file named by `--properties-file`");
            outlets.extend(
                spark
                    .spark_opts
                    .iter()
                    .map(arguments("the options of Spark", HELP)),
            );
            outlets.extend(
                spark
                    .args
                    .iter()
                    .map(arguments("an argument of a program", HELP)),
            );
        }
        ActionKind::Sqoop(sqoop) => {
            const HELP: Option<&str> =
                Some("name a file with `--password-file`, or an alias with `--password-alias`");
            let command = arguments("a command of Sqoop", HELP);
            match &sqoop.command {
                SqoopCommand::Text(text) => outlets.push(command(text)),
                SqoopCommand::Args(args) => outlets.extend(args.iter().map(command)),
            }
        }
        ActionKind::Pig(pig) => outlets.extend(pig.params.iter().chain(&pig.arguments).map(
            arguments("an argument of Pig", Some("give it in the configuration")),
        )),
        ActionKind::Hive(hive) => outlets.extend(hive.params.iter().chain(&hive.arguments).map(
            arguments("an argument of Hive", Some("give it in the configuration")),
        )),
        ActionKind::Hive2(hive2) => {
            outlets.push(
                Outlet::new(
                    &hive2.jdbc_url,
                    "the URL of a database",
                    "beeline prints it",
                )
                .with_help("give it in the `password` element, or use a credential"),
            );
            outlets.extend(hive2.params.iter().chain(&hive2.arguments).map(arguments(
                "an argument of beeline",
                Some("use the `password` element, or a credential"),
            )));
        }
        ActionKind::Distcp(distcp) => outlets.extend(distcp.args.iter().map(arguments(
            "an argument of distcp",
            Some("give it in the configuration"),
        ))),
        ActionKind::Git(git) => outlets.push(
            Outlet::new(
                &git.git_uri,
                "the URI of a repository",
                "the launcher logs it",
            )
            .with_help("use `key-path`"),
        ),
        ActionKind::Http(http) => outlets.push(Outlet::new(
            &http.url,
            "a URL",
            "servers and proxies log it",
        )),
        ActionKind::Fs(_)
        | ActionKind::MapReduce(_)
        | ActionKind::SubWorkflow(_)
        | ActionKind::Unknown(_) => {}
    }
    if let Some(sla) = &action.sla {
        outlets.extend(sla.notification_message.iter().map(|text| {
            Outlet::new(
                text,
                "a message about a service level",
                "everybody who gets it reads it",
            )
        }));
    }
    outlets
}
