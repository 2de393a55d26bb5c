//! Functions of the program that its workflows can call in expressions: given to the compiler, which sees only their signatures.

use hpdlc_core::extension::ValueType;

/// A function of the program.
///
/// Nothing is known of its value before a job runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFunction {
    /// A name as Rust has them, and none of Oozie's prefixes.
    pub prefix: String,
    pub name: String,
    pub n_arguments: usize,
    /// An expression of Rust for the `Function` of the runtime, as the module that includes the generated code sees it:
    /// `::acme::bucket::FUNCTION`, `super::FUNCTIONS[0]`.
    pub path: String,
    /// What is known of one that an extension has.
    pub described: Option<DescribedFunction>,
}

/// What the manifest of an extension says of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedFunction {
    /// The name of the extension.
    pub extension: String,
    pub arguments: Vec<ValueType>,
    pub result: ValueType,
}

impl OwnFunction {
    /// As written in an expression.
    pub fn full_name(&self) -> String {
        format!("{}:{}", self.prefix, self.name)
    }

    /// Whether it is a function of that extension.
    pub fn is_of(&self, extension: &str) -> bool {
        let described = self.described.as_ref();
        described.is_some_and(|described| described.extension == extension)
    }
}
