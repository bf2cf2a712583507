//! A place in JSON bytes: white space, strings, numbers, ids, and skipping whatever nobody asked for.

use super::number::{self, Scanned};
use crate::error::{ParseError, Result};
use crate::ids::Id;
use std::borrow::Cow;

#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

/// A JSON number, or one of the words that Python writes for numbers JSON lacks.
pub struct Number {
    pub value: f64,
    pub start: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    #[inline(always)]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    pub fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// An error here, or that the file ends too soon.
    pub fn fail<T>(&self, wanted: &str) -> Result<T> {
        let problem = if self.at >= self.bytes.len() {
            format!("the file ends where {wanted} should be")
        } else {
            format!("expected {wanted}")
        };
        Err(ParseError::at(self.at.min(self.bytes.len()), problem))
    }

    #[inline(always)]
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[inline(always)]
    pub fn expect(&mut self, byte: u8, wanted: &str) -> Result<()> {
        if self.take(byte) { Ok(()) } else { self.fail(wanted) }
    }

    /// A key and its colon, up to the value.
    #[inline(always)]
    pub fn key(&mut self) -> Result<Cow<'a, str>> {
        if self.peek() != Some(b'"') {
            return self.fail("a key in double quotes");
        }
        let key = self.string()?;
        self.skip_space();
        self.expect(b':', "':' after a key")?;
        self.skip_space();
        Ok(key)
    }

    /// After a value of an object or array: true when another follows, false when `close` ends it.
    #[inline(always)]
    pub fn another(&mut self, close: u8) -> Result<bool> {
        self.skip_space();
        if self.take(b',') {
            self.skip_space();
            return Ok(true);
        }
        if self.take(close) {
            return Ok(false);
        }
        self.fail(if close == b'}' { "',' or '}'" } else { "',' or ']'" })
    }

    /// Calls `field` with each key of the object here; it must read the value.
    #[inline(always)]
    pub fn object(&mut self, mut field: impl FnMut(&mut Self, &str) -> Result<()>) -> Result<()> {
        self.expect(b'{', "an object")?;
        self.skip_space();
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let key = self.key()?;
            field(self, &key)?;
            if !self.another(b'}')? {
                return Ok(());
            }
        }
    }

    pub fn string(&mut self) -> Result<Cow<'a, str>> {
        let start = self.at;
        let (inside, escaped) = self.string_span()?;
        let text = match std::str::from_utf8(inside) {
            Ok(text) => text,
            Err(error) => {
                return Err(ParseError::at(start + 1 + error.valid_up_to(), "the text is not UTF-8"));
            }
        };
        if escaped { unescape(text, start + 1).map(Cow::Owned) } else { Ok(Cow::Borrowed(text)) }
    }

    /// The bytes between the quotes, and whether any is escaped.
    #[inline(always)]
    fn string_span(&mut self) -> Result<(&'a [u8], bool)> {
        self.expect(b'"', "a text in double quotes")?;
        let start = self.at;
        let mut escaped = false;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 2;
                }
                Some(byte) if byte < 0x20 => return self.fail("no control character inside a text"),
                Some(_) => self.at += 1,
                None => return self.fail("the closing '\"' of a text"),
            }
        }
        let inside = &self.bytes[start..self.at];
        self.at += 1;
        Ok((inside, escaped))
    }

    #[inline(always)]
    pub fn scan_number(&mut self) -> Result<Scanned> {
        match number::scan(self.bytes, self.at) {
            Ok(scanned) => Ok(scanned),
            Err(at) => {
                // What starts as a number and goes wrong inside is a number; all else is another kind of value.
                let inside = at > self.at || matches!(self.peek(), Some(b'0'..=b'9'));
                let place = if inside { at } else { self.at };
                Cursor::new(self.bytes, place).fail("a number")
            }
        }
    }

    /// A number, or NaN, Infinity, -Infinity as Python's writer puts them.
    #[inline(always)]
    pub fn number(&mut self) -> Result<Number> {
        let start = self.at;
        if let Some(value) = self.word_number() {
            return Ok(Number { value, start });
        }
        let scanned = self.scan_number()?;
        self.at += scanned.length;
        Ok(Number { value: scanned.to_f64(self.bytes, start), start })
    }

    #[inline(always)]
    fn word_number(&mut self) -> Option<f64> {
        match self.peek() {
            Some(b'0'..=b'9') | None => None,
            Some(_) => {
                let rest = &self.bytes[self.at..];
                let words = [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)];
                let (word, value) = words.into_iter().find(|(word, _)| rest.starts_with(word.as_bytes()))?;
                self.at += word.len();
                Some(value)
            }
        }
    }

    /// An integer (or a whole float such as `1.0`, which is the same id) or a text.
    pub fn id(&mut self) -> Result<Id> {
        match self.peek() {
            Some(b'"') => Ok(Id::Text(self.string()?.into_owned().into_boxed_str())),
            _ => self.integer().map(Id::Integer),
        }
    }

    #[inline(always)]
    pub fn integer(&mut self) -> Result<i128> {
        let start = self.at;
        let Ok(scanned) = self.scan_number() else { return self.fail("an integer or a text") };
        self.at += scanned.length;
        if scanned.whole && !scanned.long {
            let magnitude = i128::from(scanned.digits);
            let value = if scanned.negative { -magnitude } else { magnitude };
            if value >= i128::from(i64::MIN) {
                return Ok(value);
            }
        }
        self.long_integer(scanned, start)
    }

    #[cold]
    fn long_integer(&self, scanned: Scanned, start: usize) -> Result<i128> {
        let refuse = |problem: &str| Err(ParseError::at(start, problem));
        if scanned.whole {
            let text = std::str::from_utf8(&self.bytes[start..start + scanned.length]).unwrap_or("");
            return match text.parse::<i128>() {
                Ok(value) if i128::from(i64::MIN) <= value && value <= i128::from(u64::MAX) => Ok(value),
                _ => refuse("the integer does not fit 64 bits"),
            };
        }
        let value = scanned.to_f64(self.bytes, start);
        if value.fract() != 0.0 || !value.is_finite() {
            return refuse("expected an integer or a text, found a number with a fraction");
        }
        // Beyond 2^53 the file's digits are no longer what the float holds.
        if value.abs() > 9_007_199_254_740_992.0 {
            return refuse("the id is written as a float too large to be exact; write it as an integer");
        }
        Ok(value as i128)
    }

    /// true, false, 0 or 1.
    pub fn flag(&mut self) -> Result<bool> {
        for (word, value) in [("true", true), ("false", false)] {
            if self.bytes[self.at.min(self.bytes.len())..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        let start = self.at;
        match self.number() {
            Ok(Number { value, .. }) if value == 0.0 || value == 1.0 => Ok(value == 1.0),
            _ => Cursor::new(self.bytes, start).fail("0, 1, true or false"),
        }
    }

    pub fn null(&mut self) -> bool {
        let found = self.bytes.get(self.at..self.at + 4) == Some(b"null");
        self.at += if found { 4 } else { 0 };
        found
    }

    /// Passes over one value of any kind, checking its grammar.
    pub fn skip_value(&mut self) -> Result<()> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            self.skip_space();
            if let Some(opener @ (b'[' | b'{')) = self.peek() {
                let close = opener + 2;
                self.at += 1;
                self.skip_space();
                if !self.take(close) {
                    open.push(close);
                    self.skip_key(close)?;
                    continue;
                }
            } else {
                self.skip_scalar()?;
            }
            // A value has ended: so may what it stands in.
            loop {
                let Some(&close) = open.last() else { return Ok(()) };
                if self.another(close)? {
                    self.skip_key(close)?;
                    break;
                }
                open.pop();
            }
        }
    }

    #[inline(always)]
    fn skip_key(&mut self, close: u8) -> Result<()> {
        if close == b'}' {
            self.skip_string()?;
            self.skip_space();
            self.expect(b':', "':' after a key")?;
        }
        Ok(())
    }

    fn skip_string(&mut self) -> Result<()> {
        self.string_span().map(|_| ())
    }

    #[inline(always)]
    fn skip_scalar(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'0'..=b'9') => {
                self.at += self.scan_number()?.length;
                Ok(())
            }
            Some(b'"') => self.skip_string(),
            Some(_) => self.skip_word(),
            None => self.fail("a value"),
        }
    }

    fn skip_word(&mut self) -> Result<()> {
        for word in ["true", "false", "null", "NaN", "Infinity", "-Infinity"] {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(());
            }
        }
        match self.scan_number() {
            Ok(scanned) => {
                self.at += scanned.length;
                Ok(())
            }
            Err(error) if self.peek() == Some(b'-') => Err(error),
            Err(_) => self.fail("a value"),
        }
    }
}

/// Resolves the escapes of a JSON text that starts at byte `start`.
fn unescape(text: &str, start: usize) -> Result<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let at = |rest: &str| start + text.len() - rest.len();
    while let Some(slash) = rest.find('\\') {
        out.push_str(&rest[..slash]);
        let escape = &rest[slash..];
        let simple = match escape.as_bytes().get(1) {
            Some(b'"') => Some('"'),
            Some(b'\\') => Some('\\'),
            Some(b'/') => Some('/'),
            Some(b'b') => Some('\u{8}'),
            Some(b'f') => Some('\u{c}'),
            Some(b'n') => Some('\n'),
            Some(b'r') => Some('\r'),
            Some(b't') => Some('\t'),
            _ => None,
        };
        let (character, length) = match simple {
            Some(character) => (character, 2),
            None => unicode_escape(escape)
                .ok_or_else(|| ParseError::at(at(escape), "not an escape that JSON knows, or half a surrogate pair"))?,
        };
        out.push(character);
        rest = &escape[length..];
    }
    out.push_str(rest);
    Ok(out)
}

/// `\uXXXX`, or two of them that make a surrogate pair: the character and the bytes it takes.
fn unicode_escape(escape: &str) -> Option<(char, usize)> {
    let unit = |at: usize| -> Option<u32> {
        let hex = escape.get(at..at + 6)?.strip_prefix("\\u")?;
        hex.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(hex, 16).ok())?
    };
    let first = unit(0)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first)?, 6));
    }
    let second = unit(6).filter(|unit| (0xDC00..0xE000).contains(unit))?;
    Some((char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))?, 12))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skip(text: &str) -> Result<usize> {
        let mut cursor = Cursor::new(text.as_bytes(), 0);
        cursor.skip_value()?;
        Ok(cursor.at)
    }

    #[test]
    fn values_of_every_kind_are_passed_over() {
        for text in [
            "1",
            "-2.5e3",
            "\"a\\\"b\"",
            "[]",
            "{}",
            "[1, [2, {\"a\": [true, null]}], \"]\"]",
            "NaN",
            "-Infinity",
            "{\"a\": {\"b\": [{}, []]}, \"c\": \"}\"}",
        ] {
            assert_eq!(skip(text), Ok(text.len()), "{text}");
        }
    }

    #[test]
    fn bad_values_are_refused() {
        for text in ["", "[", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "[1 2]", "nul", "\"a", "\"a\\", "-", "{,}", "[}"]
        {
            assert!(skip(text).is_err(), "{text}");
        }
        assert!(skip(&"[".repeat(100_000)).is_err());
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(skip(&deep), Ok(200_000));
    }

    #[test]
    fn escapes_are_resolved() {
        let text = r#""a\u00e9\ud83d\ude00\n\"\/""#;
        let mut cursor = Cursor::new(text.as_bytes(), 0);
        assert_eq!(cursor.string().unwrap(), "a\u{e9}\u{1F600}\n\"/");
        for bad in [r#""\x""#, r#""\ud83d""#, r#""\u12g4""#, r#""\ude00""#] {
            assert!(Cursor::new(bad.as_bytes(), 0).string().is_err(), "{bad}");
        }
    }

    #[test]
    fn ids_are_exact_or_refused() {
        let id = |text: &str| Cursor::new(text.as_bytes(), 0).id();
        assert_eq!(id("1.0"), Ok(Id::Integer(1)));
        assert_eq!(id("1e2"), Ok(Id::Integer(100)));
        assert_eq!(id("18446744073709551615"), Ok(Id::Integer(u64::MAX.into())));
        assert_eq!(id("-9223372036854775808"), Ok(Id::Integer(i64::MIN.into())));
        assert_eq!(id("\"7\""), Ok(Id::Text("7".into())));
        for bad in ["18446744073709551616", "-9223372036854775809", "1.5", "1e17", "null", "true", "[1]", "NaN"] {
            assert!(id(bad).is_err(), "{bad}");
        }
    }
}
