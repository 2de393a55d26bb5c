//! Which of both an action type is. `#[action_type]` asks for `RUN_OR_REMOTE` with both of these traits in scope, so that rustc takes the
//! one that the type has, and refuses a type that has none or both.

use super::{
    Action,
    data::Data,
    own_type::{self, ActionType, Run},
    remote::{self, Remote, RemoteCalls},
    schema::{Schema, TypeSchema},
};

/// Types whose process does the work.
pub trait OfRun {
    const RUN_OR_REMOTE: Action;
}

/// Types whose work goes on elsewhere.
pub trait OfRemote {
    const RUN_OR_REMOTE: Action;
}

impl<T: Run> OfRun for T {
    const RUN_OR_REMOTE: Action =
        Action::new(own_type::run::<T>).with_schema(Schema::Type(schema::<T, T::Data>));
}

impl<T: Remote> OfRemote for T {
    const RUN_OR_REMOTE: Action = Action {
        remote: Some(RemoteCalls::of::<T>()),
        ..Action::new(remote::run::<T>).with_schema(Schema::Type(schema::<T, T::Data>))
    };
}

fn schema<T: ActionType, D: Data>() -> TypeSchema {
    TypeSchema {
        data: D::keys(),
        ..T::schema()
    }
}
