//! Whether a document follows its schema: what `oozie validate` asks (`V2ValidateServlet`).

use std::{fs, path::Path};

use hpdlc_engine::owner::Session;
use hpdlc_files::{Uri, tree};
use hpdlc_host::clock;

use crate::serve::{
    compile::{
        Compiler, Properties,
        copies::{Copies, What, no_document},
        fetcher::Fetcher,
        io_failure, mistakes,
        tool::Tool,
    },
    failure::Failure,
    program,
};

/// Validates `body`, which the caller has read from `file`; a file of another file system is read here.
///
/// # Errors
///
/// E0701 for a document that its schema does not allow, E0505 for a file of another file system that cannot be read.
pub(crate) fn validate(
    compiler: &Compiler,
    session: &Session,
    file: &str,
    body: &[u8],
) -> Result<(), Failure> {
    let Some(tool) = Tool::find(&session.site) else {
        return Err(Failure::parameter(
            "validate is not supported without a compiler: put hpdlc beside hpdl, or type `hpdlc check FOLDER`",
        ));
    };
    let failed = |error: std::io::Error| io_failure(session, &error);
    // Documents of one name may be validated at once.
    let name = format!(
        "validate-{}-{:?}",
        clock::now_millis(),
        std::thread::current().id()
    );
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let turn = compiler.turn(session, tool, &name)?;
    let work = &turn.work;
    fs::write(work.folder().join("hpdl.toml"), "").map_err(failed)?;
    let uri = Uri::parse(file);
    let document = if uri.scheme.is_some() && !uri.is_file() {
        let properties = Properties::new();
        let fetcher = Fetcher {
            session,
            tool: &turn.tool,
            limits: &turn.limits,
            deadline: turn.deadline,
        };
        let allowed = turn.limits.fetched;
        let mut copies = Copies::new(session, &properties, fetcher, work.folder(), allowed);
        let missing = |_| {
            Failure::coded(
                "E0505",
                format!("App definition [File does not exist, {file}] does not exist"),
            )
        };
        let fetched = copies.fetch(file, What::File).map_err(missing)?;
        let document = copies.copy_of(file, &fetched.document);
        let text = fs::read(&document).map_err(failed)?;
        if tree::root_element(&text).is_none() {
            return Err(no_document(file));
        }
        document
    } else {
        let name = Path::new(uri.path).file_name();
        let name = name.and_then(|name| name.to_str()).unwrap_or_default();
        let is_plain = name.to_ascii_lowercase().ends_with(".xml") && !name.starts_with('.');
        let document = work
            .folder()
            .join(if is_plain { name } else { "document.xml" });
        fs::write(&document, body).map_err(failed)?;
        document
    };
    let check = |format: &str| {
        let words = program::words([
            "check".as_ref(),
            "--schema-only".as_ref(),
            "--format".as_ref(),
            format.as_ref(),
            document.as_os_str(),
        ]);
        turn.compile(&words)
    };
    let lines = check("json")?;
    if lines.code() == Some(0) {
        return Ok(());
    }
    let report = check("human")?;
    let report = String::from_utf8_lossy(&report.stderr).into_owned();
    let report = report.replace(&document.display().to_string(), file);
    match mistakes::of_document(file, &lines.stdout, &report) {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}
