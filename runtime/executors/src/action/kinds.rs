//! Which of both an action type is. `#[action_type]` asks for [`action_of`] its struct, and rustc finds out by which of both it works; it
//! refuses a type that has none or both.

use super::{
    Action,
    data::Data,
    own_type::{self, ActionType, Run},
    remote::{self, Remote, RemoteCalls},
    schema::{Schema, TypeSchema},
};

/// The process of the action does the work.
#[derive(Debug)]
pub struct ByRun;

/// The work goes on elsewhere.
#[derive(Debug)]
pub struct ByRemote;

/// A type with one of both traits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no action yet: it implements neither `Run` nor `Remote`",
    label = "what does it do?",
    note = "`impl Run for {Self}` for work that the process of the action does, `impl Remote for {Self}` for work that goes on in a service"
)]
pub trait Works<RunOrRemote>: ActionType {
    /// What the action gives to its workflow.
    type Data: Data;

    const WORK: Action;
}

impl<T: Run> Works<ByRun> for T {
    type Data = T::Data;

    const WORK: Action =
        Action::new(own_type::run::<T>).with_schema(Schema::Type(schema::<T, <T as Run>::Data>));
}

impl<T: Remote> Works<ByRemote> for T {
    type Data = T::Data;

    const WORK: Action = Action {
        remote: Some(RemoteCalls::of::<T>()),
        ..Action::new(remote::run::<T>).with_schema(Schema::Type(schema::<T, <T as Remote>::Data>))
    };
}

/// The action of a type. If that has both traits, rustc says that it cannot choose `OnlyOneOfRunAndRemote`.
pub const fn action_of<OnlyOneOfRunAndRemote, T: Works<OnlyOneOfRunAndRemote>>() -> Action {
    T::WORK
}

fn schema<T: ActionType, D: Data>() -> TypeSchema {
    TypeSchema {
        data: D::keys(),
        ..T::schema()
    }
}
