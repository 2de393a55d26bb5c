//! The part of Protocol Buffers that these messages need: fields with numbers and fields with bytes.

use std::io;

/// A message that is being written, field by field.
#[derive(Debug, Default)]
pub struct MessageWriter(Vec<u8>);

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValue<'m> {
    Number(u64),
    Bytes(&'m [u8]),
    /// Of a type that none of these messages reads.
    Other,
}

/// The wire types.
const VARINT: u64 = 0;
const FIXED_64: u64 = 1;
const LENGTH_DELIMITED: u64 = 2;
const FIXED_32: u64 = 5;

impl MessageWriter {
    pub fn number(mut self, field: u32, value: u64) -> MessageWriter {
        self.key(field, VARINT);
        put_varint(&mut self.0, value);
        self
    }

    /// An `int32`: a negative one takes ten bytes.
    pub fn int32(self, field: u32, value: i32) -> MessageWriter {
        self.number(field, i64::from(value).cast_unsigned())
    }

    /// A `sint32`.
    pub fn sint32(self, field: u32, value: i32) -> MessageWriter {
        let zigzag = (value << 1) ^ (value >> 31);
        self.number(field, u64::from(zigzag.cast_unsigned()))
    }

    pub fn bytes(mut self, field: u32, value: &[u8]) -> MessageWriter {
        self.key(field, LENGTH_DELIMITED);
        put_varint(&mut self.0, length(value));
        self.0.extend_from_slice(value);
        self
    }

    pub fn text(self, field: u32, value: &str) -> MessageWriter {
        self.bytes(field, value.as_bytes())
    }

    pub fn float(mut self, field: u32, value: f32) -> MessageWriter {
        self.key(field, FIXED_32);
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub fn message(self, field: u32, value: MessageWriter) -> MessageWriter {
        self.bytes(field, &value.0)
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn key(&mut self, field: u32, wire_type: u64) {
        put_varint(&mut self.0, u64::from(field) << 3 | wire_type);
    }
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn put_varint(to: &mut Vec<u8>, mut value: u64) {
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or_default();
        value >>= 7;
        if value == 0 {
            to.push(low);
            return;
        }
        to.push(low | 0x80);
    }
}

/// Adds `message` to `to` with its length before it.
pub fn put_delimited(to: &mut Vec<u8>, message: &[u8]) {
    put_varint(to, length(message));
    to.extend_from_slice(message);
}

/// The message at the beginning of `bytes`, which has its length before it, and what follows.
///
/// # Errors
///
/// The bytes end before the message does.
pub fn take_delimited(bytes: &[u8]) -> io::Result<(&[u8], &[u8])> {
    let (length, rest) = take_varint(bytes)?;
    usize::try_from(length)
        .ok()
        .and_then(|length| rest.split_at_checked(length))
        .ok_or_else(cut_short)
}

fn take_varint(bytes: &[u8]) -> io::Result<(u64, &[u8])> {
    let mut value = 0_u64;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Ok((value, &bytes[at + 1..]));
        }
    }
    Err(cut_short())
}

fn cut_short() -> io::Error {
    malformed("it ends in the middle of a field")
}

/// An error about a message that is not one.
pub fn malformed(problem: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("malformed message: {problem}"),
    )
}

/// The fields of a message in their order.
///
/// # Errors
///
/// It is no message.
pub fn fields(mut bytes: &[u8]) -> io::Result<Vec<(u32, FieldValue<'_>)>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let (key, rest) = take_varint(bytes)?;
        let field = u32::try_from(key >> 3).map_err(|_| malformed("a field has no number"))?;
        let (value, rest) = match key & 7 {
            VARINT => {
                let (value, rest) = take_varint(rest)?;
                (FieldValue::Number(value), rest)
            }
            LENGTH_DELIMITED => {
                let (value, rest) = take_delimited(rest)?;
                (FieldValue::Bytes(value), rest)
            }
            FIXED_64 => (
                FieldValue::Other,
                rest.split_at_checked(8).ok_or_else(cut_short)?.1,
            ),
            FIXED_32 => (
                FieldValue::Other,
                rest.split_at_checked(4).ok_or_else(cut_short)?.1,
            ),
            _ => return Err(malformed("a field has an unknown type")),
        };
        all.push((field, value));
        bytes = rest;
    }
    Ok(all)
}

/// The number in a field; the last one counts.
///
/// # Errors
///
/// It is no message.
pub fn number(message: &[u8], field: u32) -> io::Result<Option<u64>> {
    let all = fields(message)?;
    Ok(all.iter().rev().find_map(|(at, value)| match value {
        FieldValue::Number(number) if *at == field => Some(*number),
        _ => None,
    }))
}

/// The bytes in a field; the last ones count.
///
/// # Errors
///
/// It is no message.
pub fn bytes(message: &[u8], field: u32) -> io::Result<Option<&[u8]>> {
    Ok(all_bytes(message, field)?.pop())
}

/// The bytes in each field of this number.
///
/// # Errors
///
/// It is no message.
pub fn all_bytes(message: &[u8], field: u32) -> io::Result<Vec<&[u8]>> {
    let all = fields(message)?;
    let found = all.into_iter().filter_map(|(at, value)| match value {
        FieldValue::Bytes(bytes) if at == field => Some(bytes),
        _ => None,
    });
    Ok(found.collect())
}

/// The text in a field; empty if there is none.
///
/// # Errors
///
/// It is no message.
pub fn text(message: &[u8], field: u32) -> io::Result<String> {
    let bytes = bytes(message, field)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_protocol_buffers_does() {
        for (message, expected) in [
            (
                MessageWriter::default().number(1, 150),
                &[0x08, 0x96, 0x01][..],
            ),
            (MessageWriter::default().sint32(3, -33), &[0x18, 65]),
            (MessageWriter::default().sint32(5, 0), &[0x28, 0]),
            (
                MessageWriter::default().text(2, "ab"),
                &[0x12, 2, b'a', b'b'],
            ),
            (
                MessageWriter::default().int32(2, -1),
                &[0x10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
            ),
            (
                MessageWriter::default().float(5, 1.0),
                &[0x2d, 0, 0, 0x80, 0x3f],
            ),
            (
                MessageWriter::default().message(4, MessageWriter::default().number(1, 1)),
                &[0x22, 2, 0x08, 1],
            ),
        ] {
            assert_eq!(message.into_bytes(), expected);
        }
    }

    #[test]
    fn fields_are_read_whatever_stands_between_them() {
        let message = MessageWriter::default()
            .float(9, 0.5)
            .number(1, 7)
            .text(2, "old")
            .text(2, "new")
            .into_bytes();
        assert_eq!(number(&message, 1).unwrap(), Some(7));
        assert_eq!(text(&message, 2).unwrap(), "new");
        assert_eq!(all_bytes(&message, 2).unwrap().len(), 2);
        assert_eq!(number(&message, 3).unwrap(), None);
    }

    #[test]
    fn what_is_cut_short_is_no_message() {
        let mut whole = Vec::new();
        put_delimited(
            &mut whole,
            &MessageWriter::default().text(2, "text").into_bytes(),
        );
        assert_eq!(take_delimited(&whole).unwrap().1, b"");
        for end in 0..whole.len() {
            let is_refused = match take_delimited(&whole[..end]) {
                Ok((message, _)) => fields(message).is_err(),
                Err(_) => true,
            };
            assert!(is_refused, "{end}");
        }
        assert!(fields(&[0x0f]).is_err(), "an unknown type");
    }
}
