//! The `spark` action.

use std::slice;

use proc_macro2::TokenStream;

use crate::{
    codegen::{
        action::{ActionStatic, Elements, tool},
        context::AppCx,
        functions::Owner,
    },
    model::action::Spark,
};

impl ActionStatic for Spark {
    const TABLE: &'static [&'static str] = tool::TABLE;

    fn body_expr(&self, cx: &mut AppCx<'_>, owner: Owner<'_>) -> TokenStream {
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
        } = self;
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
}
