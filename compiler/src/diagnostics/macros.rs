//! The macros for the file of a rule: `code!` or `lint!`, and `message!`.

/// The static `CODE` of a rule's file: number, name, Oozie's codes. `NAME.md` beside the file is its explanation.
macro_rules! code {
    ($id:literal, $name:ident $(, [$($oozie:literal),+])?) => {
        pub(crate) static CODE: $crate::diagnostics::Code = $crate::diagnostics::Code {
            id: $id,
            name: stringify!($name),
            level: $crate::diagnostics::Level::Error,
            oozie: &[$($($oozie),+)?],
            explanation: include_str!(concat!(stringify!($name), ".md")),
        };
    };
}

/// The static `LINT` of a rule's file: default level, name, Oozie's codes. `NAME.md` beside the file is its explanation.
macro_rules! lint {
    ($level:ident, $name:ident $(, [$($oozie:literal),+])?) => {
        pub(crate) static LINT: $crate::diagnostics::Lint = $crate::diagnostics::Lint {
            name: stringify!($name),
            default_level: $crate::diagnostics::LintLevel::$level,
            oozie: &[$($($oozie),+)?],
            explanation: include_str!(concat!(stringify!($name), ".md")),
        };
    };
}

/// The message of a rule: its struct, all of its fields by name, and the block that builds a [`Diagnostic`] from them.
///
/// [`Diagnostic`]: super::Diagnostic
macro_rules! message {
    ($mistake:ty, |$($field:ident),+| $words:block) => {
        impl $crate::diagnostics::IntoDiagnostic for $mistake {
            fn into_diagnostic(self) -> $crate::diagnostics::Diagnostic {
                let Self { $($field),+ } = self;
                $words
            }
        }
    };
}

pub(crate) use {code, lint, message};
