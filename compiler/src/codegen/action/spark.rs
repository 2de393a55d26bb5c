//! The `spark` action.

use std::slice;

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{Elements, tool},
        context::AppCx,
        functions::Owner,
    },
    model::action::Spark,
};

pub(crate) fn body_expr(cx: &mut AppCx<'_>, owner: Owner<'_>, spark: &Spark) -> TokenStream {
    let Spark {
        settings,
        prepare,
        master,
        mode,
        name,
        class,
        jar,
        spark_opts,
        args,
        files,
        archives,
    } = spark;
    let elements: Elements<'_> = &[
        ("master", slice::from_ref(master)),
        ("mode", mode.as_slice()),
        ("name", slice::from_ref(name)),
        ("class", class.as_slice()),
        ("jar", slice::from_ref(jar)),
        ("spark-opts", spark_opts.as_slice()),
        ("arg", args),
        ("file", files),
        ("archive", archives),
    ];
    tool::body_expr(cx, owner, "Spark", (settings, prepare), elements)
}
