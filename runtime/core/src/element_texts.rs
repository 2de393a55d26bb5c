//! Structs with a text for each element: the names of the elements stand in one place.

/// Implements what goes through all elements of a struct whose fields are `Option<T>`.
macro_rules! element_texts {
    ($texts:ident { $($field:ident: $name:literal),* $(,)? }) => {
        impl<T> $texts<T> {
            /// No element is present.
            pub const EMPTY: $texts<T> = $texts { $($field: None),* };

            /// Each element has the text that `text` returns for its name.
            pub fn of(mut text: impl FnMut(&'static str) -> Option<T>) -> $texts<T> {
                $texts { $($field: text($name)),* }
            }

            /// The elements that are present with their names, in the order of the fields.
            pub fn elements(&self) -> impl Iterator<Item = (&'static str, &T)> {
                [$(($name, &self.$field)),*]
                    .into_iter()
                    .filter_map(|(name, text)| Some((name, text.as_ref()?)))
            }

            /// The same elements with other texts: the results of `change`.
            pub fn map<U>(&self, mut change: impl FnMut(&T) -> U) -> $texts<U> {
                $texts { $($field: self.$field.as_ref().map(&mut change)),* }
            }

            /// The same elements with other texts: the results of `change`, which gets names and texts.
            ///
            /// # Errors
            ///
            /// The first one of `change`.
            pub fn try_map<U, E>(
                &self,
                mut change: impl FnMut(&'static str, &T) -> Result<U, E>,
            ) -> Result<$texts<U>, E> {
                Ok($texts {
                    $($field: match &self.$field {
                        Some(text) => Some(change($name, text)?),
                        None => None,
                    }),*
                })
            }
        }
    };
}
