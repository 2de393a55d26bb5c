//! Extensions with mistakes: in what they name, and in what is named.

use std::time::Instant;

use hpdlc_flow::{
    Context, Data, Id, Remote, Result, Run, State, action, action_type, function,
};

#[derive(Data)]
pub struct Copied {
    files: u64,
}

#[action_type(element = "s3-copy", namespace = "uri:acme:s3-copy:1.0")]
pub struct S3Copy {
    pub from: String,
}

impl Run for S3Copy {
    type Data = Copied;

    fn run(&self, _: &Context) -> Result<Copied> {
        Ok(Copied { files: 1 })
    }
}

#[action_type(element = "s3-copy", namespace = "uri:acme:s3-copy:1.0")]
pub struct OtherCopy {
    pub to: String,
}

impl Run for OtherCopy {
    type Data = ();

    fn run(&self, _: &Context) -> Result<()> {
        Ok(())
    }
}

#[action_type(element = "move", namespace = "uri:acme:s3-copy:1.0")]
pub struct SameNamespace {
    pub to: String,
}

impl Run for SameNamespace {
    type Data = ();

    fn run(&self, _: &Context) -> Result<()> {
        Ok(())
    }
}

/// It does work in two ways.
#[action_type(element = "both", namespace = "uri:acme:both:1.0")]
pub struct Both {
    pub to: String,
}

impl Run for Both {
    type Data = ();

    fn run(&self, _: &Context) -> Result<()> {
        Ok(())
    }
}

impl Remote for Both {
    type Data = ();

    fn find(&self, _: &Context) -> Result<Option<Id>> {
        Ok(None)
    }

    fn start(&self, cx: &Context) -> Result<Id> {
        Ok(Id::new(cx.tag()))
    }

    fn check(&self, _: &Context, _: &Id) -> Result<State<()>> {
        Ok(State::Running)
    }

    fn kill(&self, _: &Context, _: &Id) -> Result<()> {
        Ok(())
    }
}

/// It has no attribute.
pub struct Plain {
    pub from: String,
}

#[action]
pub fn count(path: String) -> Result<Copied> {
    Ok(Copied { files: path.len() as u64 })
}

pub fn plain(path: String) -> String {
    path
}

#[function]
pub fn bucket(path: String, n: u64) -> String {
    format!("{path}{n}")
}

mod unknown_key {
    hpdlc_flow::extension! {
        name: "extensions",
        action: [super::count],
    }
}

mod no_name {
    hpdlc_flow::extension! {
        actions: [super::count],
    }
}

mod name_that_is_no_name {
    hpdlc_flow::extension! {
        name: "My Extension",
        actions: [super::count],
    }
}

mod name_of_oozie {
    hpdlc_flow::extension! { name: "coord", actions: [super::count] }
}

mod name_of_another_crate {
    hpdlc_flow::extension! { name: "acme", actions: [super::count] }
}

mod name_that_is_no_text {
    hpdlc_flow::extension! { name: extensions, actions: [super::count] }
}

mod key_twice {
    hpdlc_flow::extension! {
        name: "extensions",
        actions: [super::count],
        actions: [super::count],
    }
}

mod list_without_brackets {
    hpdlc_flow::extension! { name: "extensions", actions: super::count }
}

mod equals_sign {
    hpdlc_flow::extension! { name = "extensions" }
}

mod text_in_a_list {
    hpdlc_flow::extension! { name: "extensions", actions: ["count"] }
}

mod no_comma {
    hpdlc_flow::extension! {
        name: "extensions"
        actions: [super::count],
    }
}

mod no_braces_around_fields {
    hpdlc_flow::extension! { "extensions" }
}

mod action_twice {
    hpdlc_flow::extension! { name: "extensions", actions: [super::count, super::count] }
}

mod type_twice {
    hpdlc_flow::extension! { name: "extensions", types: [super::S3Copy, super::S3Copy] }
}

mod function_twice {
    hpdlc_flow::extension! { name: "extensions", functions: [super::bucket, super::bucket] }
}

mod several_mistakes {
    hpdlc_flow::extension! {
        name: "Extensions",
        actions: [super::count, super::count],
        types: [super::S3Copy, super::S3Copy],
    }
}

mod one_element_for_two_types {
    hpdlc_flow::extension! { name: "extensions", types: [super::S3Copy, super::OtherCopy] }
}

mod type_without_attribute {
    hpdlc_flow::extension! { name: "extensions", types: [super::Plain] }
}

mod unknown_type {
    hpdlc_flow::extension! { name: "extensions", types: [super::Plian] }
}

mod action_without_attribute {
    hpdlc_flow::extension! { name: "extensions", actions: [super::plain] }
}

mod unknown_action {
    hpdlc_flow::extension! { name: "extensions", actions: [super::cuont] }
}

mod function_without_attribute {
    hpdlc_flow::extension! { name: "extensions", functions: [super::plain] }
}

mod unknown_function {
    hpdlc_flow::extension! { name: "extensions", functions: [super::bukcet] }
}

mod function_among_actions {
    hpdlc_flow::extension! { name: "extensions", actions: [super::bucket] }
}

mod action_among_functions {
    hpdlc_flow::extension! { name: "extensions", functions: [super::count] }
}

mod type_among_actions {
    hpdlc_flow::extension! { name: "extensions", actions: [super::S3Copy] }
}

mod type_among_functions {
    hpdlc_flow::extension! { name: "extensions", functions: [super::S3Copy] }
}

mod action_without_attribute_beside_it {
    fn beside(path: String) -> String {
        path
    }

    hpdlc_flow::extension! { name: "extensions", actions: [beside] }
}

mod one_namespace_for_two_types {
    hpdlc_flow::extension! { name: "extensions", types: [super::S3Copy, super::SameNamespace] }
}

mod nothing {
    hpdlc_flow::extension! { name: "extensions" }
}

mod names_of_xml {
    use super::{Instant, action, action_type, function};

    #[action_type(element = "s3 copy", namespace = "uri:acme:s3-copy:1.0")]
    pub struct Blank {}

    #[action_type(element = "3copy", namespace = "uri:acme:s3-copy:1.0")]
    pub struct Digit {}

    #[action_type(element = "s3:copy", namespace = "uri:acme:s3-copy:1.0")]
    pub struct Colon {}

    #[action_type(element = "xml-copy", namespace = "uri:acme:s3-copy:1.0")]
    pub struct Xml {}

    #[action_type(element = "copy", namespace = "uri:acme:copy")]
    pub struct NoVersion {}

    #[action_type(element = "copy", namespace = "")]
    pub struct NoNamespace {}

    #[action_type(namespace = "uri:acme:copy:1.0")]
    pub struct NoElement {}

    #[action_type]
    pub struct Nothing {}

    #[action_type(element = copy, namespace = "uri:acme:copy:1.0")]
    pub struct NoText {}

    #[action_type(element = "copy", namespace = "uri:acme:copy:1.0")]
    pub struct NoNameOfAField {
        #[element("from where")]
        pub from: String,
        #[element(to)]
        pub to: String,
        #[element = "by"]
        pub by: String,
    }

    #[action]
    fn since(time: Instant) -> crate::Result<crate::Copied> {
        Ok(crate::Copied { files: time.elapsed().as_secs() })
    }

    #[function]
    fn of_a_time(time: Instant) -> u64 {
        time.elapsed().as_secs()
    }

    #[function]
    fn a_time(path: String) -> Instant {
        drop(path);
        Instant::now()
    }

    #[function]
    fn a_pair(path: String) -> (String, String) {
        (path.clone(), path)
    }
}

fn main() {}
