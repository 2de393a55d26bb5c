//! The list of the fields of a struct, from which everything else about them follows.

/// Defines a struct with its fields: `name: TYPE = KIND "ELEMENT"`. The kind is that of [`Value`](super::Value). A type name before it
/// makes it the body of that action type.
macro_rules! body {
    (
        $(#[$attribute:meta])*
        $type_name:literal: $name:ident {
            $($fields:tt)*
        }
    ) => {
        body! {
            $(#[$attribute])*
            $name { $($fields)* }
        }

        impl<F: $crate::action::Form> $crate::action::TypedBody<F> for $name<F> {
            fn type_name(&self) -> &'static str {
                $type_name
            }
        }
    };
    (
        $(#[$attribute:meta])*
        $name:ident {
            $($(#[$field_attribute:meta])* $field:ident: $type:ty = $kind:ident $($element:literal)?,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        pub struct $name<F: $crate::action::Form> {
            $($(#[$field_attribute])* pub $field: $type,)*
        }

        impl<F: $crate::action::Form<Text: $crate::action::Empty>> $name<F> {
            /// What stands for the elements that are not written.
            pub const EMPTY: $name<F> = $name {
                $($field: <$type as $crate::action::Empty>::EMPTY,)*
            };
        }

        impl<F: $crate::action::Form> $crate::action::Fields<F> for $name<F> {
            fn name(&self) -> &'static str {
                stringify!($name)
            }

            fn fields(&self) -> Vec<$crate::action::Field<'_, F>> {
                let $name { $($field),* } = self;
                vec![$($crate::action::Field {
                    name: stringify!($field),
                    value: value!($kind $field $($element)?),
                }),*]
            }
        }
    };
}

/// The [`Value`](super::Value) of a field.
macro_rules! value {
    (text $field:ident $element:literal) => {
        $crate::action::Value::Text($element, $field)
    };
    (optional $field:ident $element:literal) => {
        $crate::action::Value::Optional($element, $field.as_slice())
    };
    (list $field:ident $element:literal) => {
        $crate::action::Value::List($element, $field)
    };
    (flag $field:ident) => {
        $crate::action::Value::Flag(*$field)
    };
    (settings $field:ident) => {
        $crate::action::Value::Settings($field)
    };
    (configuration $field:ident) => {
        $crate::action::Value::Configuration($field)
    };
    (prepare $field:ident) => {
        $crate::action::Value::Prepare($field)
    };
    (operations $field:ident) => {
        $crate::action::Value::Operations($field)
    };
    (choice $field:ident) => {
        $crate::action::Value::Choice($field.choice())
    };
    (optional_struct $field:ident) => {
        $crate::action::Value::OptionalStruct(match $field {
            Some(inner) => Some(inner),
            None => None,
        })
    };
}
