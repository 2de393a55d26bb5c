//! Parameters of a statement: arrays of one type, tuples, and slices made by `params!`.

use super::{ToSql, Value};

/// The values of a statement's parameters, in their order.
pub trait Params {
    /// Calls `see` with them.
    fn with<R>(&self, see: impl FnOnce(&[&dyn ToSql]) -> R) -> R;
}

/// Parameters whose number is known at run time only.
#[derive(Debug)]
pub struct FromIter(Vec<Value>);

pub fn params_from_iter(values: impl IntoIterator<Item = Value>) -> FromIter {
    FromIter(values.into_iter().collect())
}

impl Params for FromIter {
    fn with<R>(&self, see: impl FnOnce(&[&dyn ToSql]) -> R) -> R {
        let values: Vec<&dyn ToSql> = self.0.iter().map(|value| value as &dyn ToSql).collect();
        see(&values)
    }
}

impl Params for &[&dyn ToSql] {
    fn with<R>(&self, see: impl FnOnce(&[&dyn ToSql]) -> R) -> R {
        see(self)
    }
}

// Of one type, so that `[]` needs no annotation.
impl Params for [&dyn ToSql; 0] {
    fn with<R>(&self, see: impl FnOnce(&[&dyn ToSql]) -> R) -> R {
        see(&[])
    }
}

macro_rules! arrays {
    ($($n:literal)*) => {
        $(impl<T: ToSql> Params for [T; $n] {
            fn with<R>(&self, see: impl FnOnce(&[&dyn ToSql]) -> R) -> R {
                see(&self.each_ref().map(|value| value as &dyn ToSql))
            }
        })*
    };
}

arrays!(1 2 3 4 5 6);

macro_rules! tuples {
    ($(($($index:tt $name:ident)*))*) => {
        $(impl<$($name: ToSql),*> Params for ($($name,)*) {
            fn with<R>(&self, see: impl FnOnce(&[&dyn ToSql]) -> R) -> R {
                see(&[$(&self.$index as &dyn ToSql),*])
            }
        })*
    };
}

tuples! {
    (0 A)
    (0 A 1 B)
    (0 A 1 B 2 C)
    (0 A 1 B 2 C 3 D)
    (0 A 1 B 2 C 3 D 4 E)
    (0 A 1 B 2 C 3 D 4 E 5 F)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I 9 J)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I 9 J 10 K)
}
