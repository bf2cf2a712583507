//! Ids are a kind and a value: an integer (all of signed and unsigned 64 bits) or a text.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

/// Canonical order: integers ascending, then texts by code point (which is UTF-8's byte order).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Id {
    Integer(i128),
    Text(Box<str>),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Integer(value) => write!(f, "{value}"),
            Id::Text(text) => write!(f, "{text}"),
        }
    }
}

impl Id {
    /// The id of the other kind that looks the same: `1` for `"1"`, `"1"` for `1`.
    pub fn look_alike(&self) -> Option<Id> {
        match self {
            Id::Integer(value) => Some(Id::Text(value.to_string().into())),
            Id::Text(text) => {
                let value: i128 = text.parse().ok()?;
                let in_range = i128::from(i64::MIN) <= value && value <= i128::from(u64::MAX);
                (in_range && value.to_string() == **text).then_some(Id::Integer(value))
            }
        }
    }
}

/// Multiplicative hashing for integers that come from one file; texts fold in eight bytes at a time.
#[derive(Default)]
pub struct QuickHasher(u64);

const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        // The table takes its bits from the top and the bottom alike.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(MIX);
    }

    fn write_i128(&mut self, value: i128) {
        self.write_u64(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

const SMALL: usize = 1024;
const NONE: u32 = u32::MAX;

/// Distinct ids in order of appearance, with the row and number of their uses.
pub struct IdTable {
    pub ids: Vec<Id>,
    pub first_rows: Vec<u64>,
    pub uses: Vec<u64>,
    positions: QuickMap<Id, u32>,
    // Two short cuts: label ids are small integers, and image ids come in runs.
    small: Box<[u32; SMALL]>,
    last: (i128, u32),
}

impl Default for IdTable {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            first_rows: Vec::new(),
            uses: Vec::new(),
            positions: QuickMap::default(),
            small: Box::new([NONE; SMALL]),
            last: (i128::MIN, NONE),
        }
    }
}

impl IdTable {
    pub fn integer(&mut self, value: i128, row: u64) -> u32 {
        if value == self.last.0 {
            self.uses[self.last.1 as usize] += 1;
            return self.last.1;
        }
        let small = usize::try_from(value).ok().filter(|&v| v < SMALL);
        let position = match small.map(|v| self.small[v]) {
            Some(position) if position != NONE => {
                self.uses[position as usize] += 1;
                position
            }
            _ => self.insert(Id::Integer(value), row, 1),
        };
        if let Some(v) = small {
            self.small[v] = position;
        }
        self.last = (value, position);
        position
    }

    /// Position of `id`, added when it is new; `uses` more uses, the first at `row`.
    pub fn insert(&mut self, id: Id, row: u64, uses: u64) -> u32 {
        if let Some(&position) = self.positions.get(&id) {
            self.uses[position as usize] += uses;
            return position;
        }
        let position = self.ids.len() as u32;
        self.ids.push(id.clone());
        self.first_rows.push(row);
        self.uses.push(uses);
        self.positions.insert(id, position);
        position
    }

    pub fn position(&self, id: &Id) -> Option<u32> {
        self.positions.get(id).copied()
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Takes in a later chunk's table, whose rows start at `offset`; returns the new position of each of its ids.
    pub fn absorb(&mut self, chunk: IdTable, offset: u64) -> Vec<u32> {
        let rows = chunk.first_rows.into_iter().zip(chunk.uses);
        chunk.ids.into_iter().zip(rows).map(|(id, (row, uses))| self.insert(id, row + offset, uses)).collect()
    }
}

/// Positions of `ids` in canonical order.
pub fn canonical_order(ids: &[Id]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..ids.len() as u32).collect();
    order.sort_by(|&a, &b| match ids[a as usize].cmp(&ids[b as usize]) {
        Ordering::Equal => a.cmp(&b),
        other => other,
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_order_puts_integers_first() {
        let ids = [Id::Text("b".into()), Id::Integer(10), Id::Integer(-3), Id::Text("a".into())];
        assert_eq!(canonical_order(&ids), [2, 1, 3, 0]);
    }

    #[test]
    fn only_plain_decimal_texts_look_like_integers() {
        assert_eq!(Id::Text("12".into()).look_alike(), Some(Id::Integer(12)));
        for text in ["012", "+1", "1.0", "", "99999999999999999999999"] {
            assert_eq!(Id::Text(text.into()).look_alike(), None, "{text}");
        }
    }

    #[test]
    fn a_table_counts_uses_across_chunks() {
        let mut table = IdTable::default();
        table.integer(7, 0);
        table.integer(7, 1);
        table.integer(5, 2);
        let mut chunk = IdTable::default();
        chunk.integer(5, 0);
        chunk.insert(Id::Text("x".into()), 1, 1);
        assert_eq!(table.absorb(chunk, 3), [1, 2]);
        assert_eq!(table.uses, [2, 2, 1]);
        assert_eq!(table.first_rows, [0, 2, 4]);
    }
}
