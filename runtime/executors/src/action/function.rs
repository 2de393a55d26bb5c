//! Actions that are functions: what `#[action]` makes of one.

use super::{
    Action, Context, DataMap, answer,
    data::Data,
    error::Result,
    schema::{ArgumentSchema, FunctionSchema, Schema},
};

/// The call of a function with its arguments as texts.
pub trait FunctionCall {
    /// What it returns.
    type Data: Data;

    /// Decodes the arguments and calls the function.
    ///
    /// # Errors
    ///
    /// That of the function, or an argument is no value of its type (`HPDL_ARGUMENT`).
    fn call(context: &Context, texts: &[String]) -> Result<Self::Data>;

    /// The parameters of the function.
    fn arguments() -> Vec<ArgumentSchema>;
}

impl Action {
    /// The action of a function.
    pub const fn of<C: FunctionCall>() -> Action {
        Action::new(run::<C>).with_schema(Schema::Function(schema::<C>))
    }
}

fn run<C: FunctionCall>(context: &Context, texts: &[String]) -> Result<DataMap> {
    answer(C::call(context, texts))
}

fn schema<C: FunctionCall>() -> FunctionSchema {
    FunctionSchema {
        arguments: C::arguments(),
        data: C::Data::keys(),
    }
}
