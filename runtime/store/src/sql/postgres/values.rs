//! Values of SQLite's five types, as PostgreSQL's: BIGINT, DOUBLE PRECISION, TEXT, BYTEA; and back.

use std::error::Error as StdError;

use rusqlite::types::ToSqlOutput;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};

use crate::sql::{Error, Result, ToSql as ParameterOf, Value};

type Problem = Box<dyn StdError + Sync + Send>;

/// The values of parameters.
pub(super) fn of(params: &[&dyn ParameterOf]) -> Result<Vec<Value>> {
    params.iter().map(|param| value(*param)).collect()
}

fn value(param: &dyn ParameterOf) -> Result<Value> {
    match param.to_sql()? {
        ToSqlOutput::Owned(value) => Ok(value),
        ToSqlOutput::Borrowed(value) => {
            Value::try_from(value).map_err(|error| Error::Value(error.to_string()))
        }
        _ => Err(Error::Value("a parameter of another kind".to_owned())),
    }
}

/// A parameter, sent as what the server takes it for.
#[derive(Debug)]
pub(super) struct Parameter(pub(super) Value);

impl ToSql for Parameter {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Problem> {
        let wrong = |what: &str| Problem::from(format!("{what} for a parameter of type {of}"));
        match &self.0 {
            Value::Null => Ok(IsNull::Yes),
            Value::Integer(n) => match *of {
                Type::INT8 => ToSql::to_sql(n, of, out),
                Type::INT4 => ToSql::to_sql(&i32::try_from(*n)?, of, out),
                Type::INT2 => ToSql::to_sql(&i16::try_from(*n)?, of, out),
                Type::BOOL => ToSql::to_sql(&(*n != 0), of, out),
                #[expect(clippy::cast_precision_loss, reason = "as SQLite does")]
                Type::FLOAT8 => ToSql::to_sql(&(*n as f64), of, out),
                Type::TEXT | Type::VARCHAR => ToSql::to_sql(&n.to_string(), of, out),
                _ => Err(wrong("a number")),
            },
            Value::Real(x) => match *of {
                Type::FLOAT8 => ToSql::to_sql(x, of, out),
                _ => Err(wrong("a fraction")),
            },
            Value::Text(text) => match *of {
                // Texts of PostgreSQL have no NUL.
                Type::TEXT | Type::VARCHAR | Type::NAME | Type::BPCHAR | Type::UNKNOWN => {
                    match text.contains('\0') {
                        true => ToSql::to_sql(&text.replace('\0', "\u{fffd}"), of, out),
                        false => ToSql::to_sql(text, of, out),
                    }
                }
                _ => Err(wrong("a text")),
            },
            Value::Blob(bytes) => match *of {
                Type::BYTEA => ToSql::to_sql(bytes, of, out),
                _ => Err(wrong("bytes")),
            },
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// A value that the server has sent.
pub(super) struct Found(pub(super) Value);

impl<'a> FromSql<'a> for Found {
    fn from_sql(of: &Type, raw: &'a [u8]) -> std::result::Result<Found, Problem> {
        Ok(Found(match *of {
            Type::INT8 => Value::Integer(i64::from_sql(of, raw)?),
            Type::INT4 => Value::Integer(i32::from_sql(of, raw)?.into()),
            Type::INT2 => Value::Integer(i16::from_sql(of, raw)?.into()),
            Type::BOOL => Value::Integer(bool::from_sql(of, raw)?.into()),
            Type::FLOAT8 => Value::Real(f64::from_sql(of, raw)?),
            Type::NUMERIC => Value::Integer(
                whole(raw).ok_or_else(|| Problem::from("a number that is no integer"))?,
            ),
            Type::BYTEA => Value::Blob(raw.to_vec()),
            Type::VOID => Value::Null,
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::BPCHAR | Type::UNKNOWN => {
                Value::Text(str::from_utf8(raw)?.to_owned())
            }
            _ => return Err(Problem::from(format!("a value of type {of}"))),
        }))
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Found, Problem> {
        Ok(Found(Value::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// A NUMERIC, such as a sum of BIGINTs, that is an integer: four 16-bit fields (number of digits, weight of the first, sign, scale), then
/// digits of base 10,000.
fn whole(raw: &[u8]) -> Option<i64> {
    let field = |at: usize| Some(i16::from_be_bytes(raw.get(at..at + 2)?.try_into().ok()?));
    let (n_digits, weight, sign) = (field(0)?, field(2)?, field(4)?);
    let mut n = 0_i64;
    for place in 0..=i32::from(weight) {
        let digit = match place < i32::from(n_digits) {
            true => field(8 + 2 * usize::try_from(place).ok()?)?,
            false => 0,
        };
        n = n.checked_mul(10_000)?.checked_add(digit.into())?;
    }
    let is_whole = i32::from(n_digits) <= i32::from(weight) + 1;
    match sign {
        0 if is_whole => Some(n),
        0x4000 if is_whole => Some(-n),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_integers() {
        let numeric = |weight: i16, sign: i16, digits: &[i16]| {
            let n_digits = i16::try_from(digits.len()).unwrap();
            let fields = [n_digits, weight, sign, 0];
            let fields = fields.iter().chain(digits);
            fields
                .flat_map(|field| field.to_be_bytes())
                .collect::<Vec<u8>>()
        };
        for (raw, expected) in [
            (numeric(0, 0, &[]), Some(0)),
            (numeric(0, 0, &[42]), Some(42)),
            (numeric(1, 0, &[3]), Some(30_000)),
            (numeric(1, 0x4000, &[3, 17]), Some(-30_017)),
            // 1.5
            (numeric(0, 0, &[1, 5_000]), None),
            // NaN
            (numeric(0, -0x4000, &[]), None),
            (numeric(9, 0, &[1]), None),
            (vec![0, 1], None),
        ] {
            assert_eq!(whole(&raw), expected, "{raw:?}");
        }
    }
}
