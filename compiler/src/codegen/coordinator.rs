//! The module of a coordinator or a bundle: one table of its texts.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::{
        ChildUri, CompiledBundle, CompiledCoordinator, document::DocumentCx, imports,
        module::Module, params, sla,
    },
    model::{
        Template,
        coordinator::{Dataset, Instances, LogicKind, LogicNode},
    },
    source::SourceMap,
};

/// The module of a coordinator.
pub(crate) fn module(
    sources: &SourceMap,
    compiled: &CompiledCoordinator<'_>,
    name: String,
) -> Module {
    let CompiledCoordinator {
        app,
        facts,
        included,
        source,
        folder,
        workflows,
    } = compiled;
    let cx = DocumentCx::new(sources, app.file);
    let mut fields = Fields::default();
    fields.set("name", cx.text("name", &app.name));
    fields.set("source", quote!(SOURCE));
    fields.set("folder", quote!(#folder));
    fields.set(
        "parameters",
        params::parameters_expr(&cx, &facts.properties),
    );
    if !app.config_default.is_empty() {
        fields.set("config_default", cx.properties(&app.config_default));
    }
    fields.set("frequency", cx.text("frequency", &app.frequency));
    fields.set("start", cx.text("start", &app.start));
    fields.set("end", cx.text("end", &app.end));
    fields.set("timezone", cx.text("timezone", &app.timezone));
    if app.controls.elements().next().is_some() {
        let controls = app.controls.elements();
        let texts = controls.map(|(element, text)| (element, cx.text(element, text)));
        fields.set("controls", sla::texts_expr(&quote!(Controls), texts));
    }
    fields.list(
        "includes",
        app.includes
            .iter()
            .zip(&included.named)
            .map(|(path, named)| {
                let path = cx.text("include", path);
                let uri = match &named.uri {
                    Some(uri) => quote!(Some(#uri)),
                    None => quote!(None),
                };
                let files = named
                    .files
                    .iter()
                    .filter_map(|file| included.files.get(*file));
                let datasets = files
                    .flat_map(|file| &file.datasets)
                    .map(|dataset| dataset_expr(&cx, dataset));
                quote!(Include { path: #path, uri: #uri, datasets: &[#(#datasets),*] })
            }),
    );
    let datasets = app.datasets.iter();
    fields.list(
        "datasets",
        datasets.map(|dataset| dataset_expr(&cx, dataset)),
    );
    fields.list(
        "inputs",
        app.input_events.iter().map(|event| {
            let instances = match &event.instances {
                Instances::Each(instances) => each(&cx, &event.name.value, instances),
                Instances::Range { start, end } => {
                    let name = &event.name.value;
                    let start = cx.text(&format!("start of {name}"), start);
                    let end = cx.text(&format!("end of {name}"), end);
                    quote!(Instances::Range(#start, #end))
                }
            };
            event_expr(&cx, &event.name.value, &event.dataset, &instances, None)
        }),
    );
    // Only the first is used; an error has been reported for any others.
    let logic = app.input_logic.as_ref();
    if let Some(node) = logic.and_then(|logic| logic.nodes.first()) {
        let logic = logic_expr(&cx, node);
        fields.set("input_logic", quote!(Some(&#logic)));
    }
    fields.list(
        "outputs",
        app.output_events.iter().map(|event| {
            let instances = each(&cx, &event.name.value, &event.instances);
            let nocleanup = event.nocleanup.as_ref();
            event_expr(
                &cx,
                &event.name.value,
                &event.dataset,
                &instances,
                nocleanup,
            )
        }),
    );
    if let Some(workflow) = &app.workflow {
        fields.set("app_path", cx.text("app path", &workflow.app_path));
        let properties = &workflow.configuration.properties;
        if !properties.is_empty() {
            fields.set("configuration", cx.properties(properties));
        }
    }
    if let Some(sla) = &app.sla {
        let texts = sla.texts.elements().map(|(element, text)| {
            let path = format!("sla {}", element.replace('-', " "));
            (element, cx.text(&path, text))
        });
        let texts = sla::texts_expr(&quote!(SlaTexts), texts);
        fields.set("sla", quote!(Some(&#texts)));
    }
    fields.list("workflows", workflows.iter().map(child_expr));
    let fields = fields.finish(quote!(Coordinator::EMPTY));
    let items = quote! {
        /// The file, as it was given to the compiler.
        const SOURCE: &str = #source;

        /// The coordinator, for the runtime.
        pub(super) static COORDINATOR: Coordinator = Coordinator { #fields };
    };
    let doc = format!(" The coordinator of `{source}`.");
    whole(name, &doc, items, cx)
}

/// The module of a bundle.
pub(crate) fn bundle_module(
    sources: &SourceMap,
    compiled: &CompiledBundle<'_>,
    name: String,
) -> Module {
    let CompiledBundle {
        app,
        facts,
        source,
        children,
        started: _,
    } = compiled;
    let cx = DocumentCx::new(sources, app.file);
    let name_text = cx.text("name", &app.name);
    let parameters = params::parameters_expr(&cx, &facts.properties);
    let config_default = cx.properties(&app.config_default);
    let written = app.kick_off_time.as_ref();
    let kick_off_time = cx.optional(
        "kick off time",
        written.filter(|text| !text.text.is_empty()),
    );
    let coordinators = app.coordinators.iter().map(|coordinator| {
        let owner = coordinator.name.text.as_str();
        let name = cx.text(&format!("name of {owner}"), &coordinator.name);
        let enabled = cx.optional(&format!("enabled of {owner}"), coordinator.enabled.as_ref());
        let app_path = cx.text(&format!("app path of {owner}"), &coordinator.app_path);
        let configuration = cx.properties(&coordinator.configuration.properties);
        quote! {
            BundleCoordinator {
                name: #name,
                enabled: #enabled,
                app_path: #app_path,
                configuration: #configuration,
            }
        }
    });
    let children = children.iter().map(child_expr);
    let items = quote! {
        /// The file, as it was given to the compiler.
        const SOURCE: &str = #source;

        /// The bundle, for the runtime.
        pub(super) static BUNDLE: Bundle = Bundle {
            name: #name_text,
            source: SOURCE,
            parameters: #parameters,
            config_default: #config_default,
            kick_off_time: #kick_off_time,
            coordinators: &[#(#coordinators),*],
            children: &[#(#children),*],
        };
    };
    let doc = format!(" The bundle of `{source}`.");
    whole(name, &doc, items, cx)
}

/// `Child { uri: "...", app: 1 }`
pub(crate) fn child_expr(child: &ChildUri) -> TokenStream {
    let uri = &child.uri;
    let app = Literal::usize_unsuffixed(child.app);
    quote!(Child { uri: #uri, app: #app })
}

/// With the code of the texts below the items.
fn whole(name: String, doc: &str, items: TokenStream, cx: DocumentCx<'_>) -> Module {
    let (functions, properties) = cx.into_code();
    let items = quote!(#items #functions);
    let imported = imports::of(&items);
    let children = properties.into_iter().collect();
    Module::new(name, quote!(#[doc = #doc]), children, items, imported)
}

/// The fields of a struct literal; empty ones are left out.
#[derive(Default)]
struct Fields(Vec<TokenStream>);

impl Fields {
    fn set(&mut self, name: &str, value: TokenStream) {
        let name = crate::codegen::names::ident(name);
        self.0.push(quote!(#name: #value));
    }

    fn list(&mut self, name: &str, values: impl Iterator<Item = TokenStream>) {
        let values: Vec<TokenStream> = values.collect();
        if !values.is_empty() {
            self.set(name, quote!(&[#(#values),*]));
        }
    }

    fn finish(self, others: TokenStream) -> TokenStream {
        let fields = self.0;
        quote!(#(#fields,)* ..#others)
    }
}

fn dataset_expr(cx: &DocumentCx<'_>, dataset: &Dataset) -> TokenStream {
    let name = &dataset.name.value;
    let path = |what: &str| format!("{what} of {name}");
    let frequency = cx.text(&path("frequency"), &dataset.frequency);
    let initial_instance = cx.text(&path("initial instance"), &dataset.initial_instance);
    let timezone = cx.text(&path("timezone"), &dataset.timezone);
    let uri_template = cx.text(&path("uri template"), &dataset.uri_template);
    let done_flag = cx.optional(&path("done flag"), dataset.done_flag.as_ref());
    quote! {
        Dataset {
            name: #name,
            frequency: #frequency,
            initial_instance: #initial_instance,
            timezone: #timezone,
            uri_template: #uri_template,
            done_flag: #done_flag,
        }
    }
}

fn each(cx: &DocumentCx<'_>, event: &str, instances: &[Template]) -> TokenStream {
    let path = format!("instance of {event}");
    let instances = instances.iter().map(|instance| cx.text(&path, instance));
    quote!(Instances::Each(&[#(#instances),*]))
}

fn event_expr(
    cx: &DocumentCx<'_>,
    name: &str,
    dataset: &Template,
    instances: &TokenStream,
    nocleanup: Option<&Template>,
) -> TokenStream {
    let dataset = cx.text(&format!("dataset of {name}"), dataset);
    let nocleanup = cx.optional(&format!("nocleanup of {name}"), nocleanup);
    quote! {
        Event { name: #name, dataset: #dataset, instances: #instances, nocleanup: #nocleanup }
    }
}

fn logic_expr(cx: &DocumentCx<'_>, node: &LogicNode) -> TokenStream {
    let below = |variant: TokenStream| {
        let nodes = node.nodes.iter().map(|node| logic_expr(cx, node));
        quote!(#variant(&[#(#nodes),*]))
    };
    let kind = match &node.kind {
        LogicKind::And => below(quote!(LogicKind::And)),
        LogicKind::Or => below(quote!(LogicKind::Or)),
        LogicKind::Combine => below(quote!(LogicKind::Combine)),
        LogicKind::DataIn(dataset) => {
            let dataset = cx.text("input logic", dataset);
            quote!(LogicKind::Input(#dataset))
        }
    };
    let name = cx.optional("input logic name", node.name.as_ref());
    let min = cx.optional("min of input logic", node.min.as_ref());
    let wait = cx.optional("wait of input logic", node.wait.as_ref());
    quote!(Logic { kind: #kind, name: #name, min: #min, wait: #wait })
}
