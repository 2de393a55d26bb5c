//! The address of something, as an element of an action type.

use std::{fmt, ops::Deref};

use super::value::{Value, present};

/// The address of a file, a table or a service: a text without blanks that is not empty. It derefs to `str`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uri(String);

impl Uri {
    /// # Errors
    ///
    /// The text is empty or has blanks in it.
    pub fn new(text: &str) -> Result<Uri, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("it is empty, and an address is expected".to_owned());
        }
        if text.contains(char::is_whitespace) {
            return Err(format!(
                "`{text}` is no address: there is a blank in it; write it as %20"
            ));
        }
        Ok(Uri(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Uri {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Value for Uri {
    fn to_text(&self) -> Result<Option<String>, String> {
        Ok(Some(self.0.clone()))
    }

    fn of_text(text: Option<&str>) -> Result<Uri, String> {
        Uri::new(present(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_word() {
        let text = |text: &str| Uri::new(text).map(|uri| uri.to_string());
        assert_eq!(text(" s3://a/b \n").as_deref(), Ok("s3://a/b"));
        assert_eq!(text("a%20b").as_deref(), Ok("a%20b"));
        assert!(text(" ").is_err());
        assert!(text("a b").is_err());
    }
}
