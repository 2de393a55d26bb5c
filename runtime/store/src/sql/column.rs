//! Columns of a row.

/// A column by its position, from 0, or by its name.
pub trait ColumnIndex: rusqlite::RowIndex + Copy {
    /// Its position among columns of these names.
    fn position(self, names: &[String]) -> Option<usize>;
    /// As shown to the user.
    fn shown(self) -> String;
}

impl ColumnIndex for usize {
    fn position(self, names: &[String]) -> Option<usize> {
        (self < names.len()).then_some(self)
    }

    fn shown(self) -> String {
        self.to_string()
    }
}

impl ColumnIndex for &str {
    fn position(self, names: &[String]) -> Option<usize> {
        names.iter().position(|name| name == self)
    }

    fn shown(self) -> String {
        self.to_owned()
    }
}
