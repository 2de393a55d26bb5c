//! The operations of the `fs` action.

use crate::action::{ElementTexts, Field, Form};

/// Defines the operations with their attributes, as `body!` does a struct.
macro_rules! operations {
    ($(
        $(#[$attribute:meta])*
        $name:ident $element:literal {
            $($field:ident: $type:ty = $kind:ident $($path:literal)?,)*
        }
    )*) => {
        #[derive(Clone, Debug)]
        pub enum FsOperation<F: Form> {
            $($(#[$attribute])* $name { $($field: $type),* }),*
        }

        impl<F: Form> FsOperation<F> {
            /// The name of its element.
            pub fn element(&self) -> &'static str {
                match self {
                    $(FsOperation::$name { .. } => $element),*
                }
            }

            /// The name of its variant.
            pub fn variant(&self) -> &'static str {
                match self {
                    $(FsOperation::$name { .. } => stringify!($name)),*
                }
            }

            /// All fields, in the order of the schema.
            pub fn fields(&self) -> Vec<Field<'_, F>> {
                match self {
                    $(FsOperation::$name { $($field),* } => vec![$(Field {
                        name: stringify!($field),
                        value: value!($kind $field $($path)?),
                    }),*],)*
                }
            }
        }
    };
}

operations! {
    /// `skip_trash` is `None` if not written; Oozie's default is true.
    Delete "delete" {
        path: F::Text = text "path",
        skip_trash: Option<F::Text> = optional "skip-trash",
    }
    Mkdir "mkdir" {
        path: F::Text = text "path",
    }
    Move "move" {
        source: F::Text = text "source",
        target: F::Text = text "target",
    }
    Chmod "chmod" {
        path: F::Text = text "path",
        permissions: F::Text = text "permissions",
        dir_files: Option<F::Text> = optional "dir-files",
        recursive: bool = flag,
    }
    Chgrp "chgrp" {
        path: F::Text = text "path",
        group: F::Text = text "group",
        dir_files: Option<F::Text> = optional "dir-files",
        recursive: bool = flag,
    }
    Touchz "touchz" {
        path: F::Text = text "path",
    }
    /// Local files have no replicas: checked and otherwise without effect there.
    Setrep "setrep" {
        path: F::Text = text "path",
        factor: F::Text = text "replication-factor",
    }
}

impl<F: Form> FsOperation<F> {
    /// The attributes that hold a text.
    pub fn attributes(&self) -> Vec<ElementTexts<'_, F>> {
        let mut attributes = Vec::new();
        for field in self.fields() {
            field.value.elements(&mut attributes);
        }
        attributes
    }

    /// The paths that it works on.
    pub fn paths(&self) -> Vec<&F::Text> {
        match self {
            FsOperation::Delete { path, .. }
            | FsOperation::Mkdir { path }
            | FsOperation::Chmod { path, .. }
            | FsOperation::Chgrp { path, .. }
            | FsOperation::Touchz { path }
            | FsOperation::Setrep { path, .. } => vec![path],
            FsOperation::Move { source, target } => vec![source, target],
        }
    }
}

impl<F: Form> AsRef<FsOperation<F>> for FsOperation<F> {
    fn as_ref(&self) -> &FsOperation<F> {
        self
    }
}
