use crate::diagnostics::{Diagnostic, code, message};

code!("H0002", no_application, ["E0700"]);

/// A folder without an application.
pub(crate) struct NoApplication {
    /// As given.
    pub(crate) folder: String,
    /// Folders below it that contain one, sorted.
    pub(crate) nearby: Vec<String>,
}

message!(NoApplication, |folder, nearby| {
    let diagnostic = Diagnostic::for_path(&CODE, folder, "the folder holds no `workflow.xml`");
    match nearby.as_slice() {
        [] => diagnostic.help("name the folder of an application, or its `workflow.xml`"),
        [only] => diagnostic.help(format!("there is an application in `{only}`")),
        several => {
            const SHOWN: usize = 5;
            let mut list: Vec<String> = several
                .iter()
                .take(SHOWN)
                .map(|folder| format!("`{folder}`"))
                .collect();
            if several.len() > SHOWN {
                list.push(format!("{} more", several.len() - SHOWN));
            }
            diagnostic.help(format!("there are applications in {}", list.join(", ")))
        }
    }
});
