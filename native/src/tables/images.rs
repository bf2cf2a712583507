//! Images in canonical order, and finding them by id.

use crate::findings::{Finding, Tally};
use crate::ids::{Id, IdTable, QuickMap, canonical_order};
use crate::json::ground_truth::RawImage;

#[derive(Default, Clone)]
pub struct Images {
    pub ids: Vec<Id>,
    pub file_names: Vec<Option<Box<str>>>,
    pub widths: Vec<Option<f64>>,
    pub heights: Vec<Option<f64>>,
    /// Clip, session or camera, where a caller says so.
    pub groups: Vec<Option<Box<str>>>,
    /// Entry of the file; none for images that no file lists.
    pub source_rows: Vec<Option<u32>>,
    positions: QuickMap<Id, u32>,
}

/// Where the ids of a file lead.
pub struct Resolved {
    pub rows: Vec<Option<u32>>,
    pub findings: Vec<Finding>,
}

impl Images {
    /// Repeats of an image are left out; one that says something else is a finding of its own.
    pub fn build(raw: &[RawImage]) -> (Self, Vec<Finding>) {
        let ids: Vec<Id> = raw.iter().map(|image| image.id.clone()).collect();
        let mut images = Self::default();
        let mut repeated = Tally::new("image-repeated");
        let mut conflicting = Tally::new("image-conflict");
        let mut first = 0;
        for row in canonical_order(&ids) {
            let image = &raw[row as usize];
            if images.ids.last() != Some(&image.id) {
                first = row;
                images.push(image.clone(), Some(row));
                continue;
            }
            let differing = difference(&raw[first as usize], image);
            let tally = if differing.is_some() { &mut conflicting } else { &mut repeated };
            tally.add(u64::from(first), |finding| {
                finding.other = Some(u64::from(row));
                finding.field = differing;
                finding.value = Some(image.id.to_string());
            });
        }
        images.index();
        (images, [repeated, conflicting].into_iter().filter_map(Tally::into_finding).collect())
    }

    fn push(&mut self, image: RawImage, source_row: Option<u32>) {
        self.ids.push(image.id);
        self.file_names.push(image.file_name);
        self.widths.push(image.width);
        self.heights.push(image.height);
        self.groups.push(None);
        self.source_rows.push(source_row);
    }

    fn index(&mut self) {
        self.positions = self.ids.iter().cloned().zip(0..).collect();
    }

    /// The same in groups, one for each image.
    pub fn with_groups(&self, groups: Vec<Option<Box<str>>>) -> Self {
        Self { groups, ..self.clone() }
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub fn position(&self, id: &Id) -> Option<u32> {
        self.positions.get(id).copied()
    }

    /// The same with further images that no file lists; also the new row of each old one.
    pub fn with(&self, further: &[Id]) -> (Self, Vec<u32>) {
        let mut all: Vec<(RawImage, Option<u32>)> = (0..self.len())
            .map(|i| {
                let (width, height) = (self.widths[i], self.heights[i]);
                let image = RawImage { id: self.ids[i].clone(), file_name: self.file_names[i].clone(), width, height };
                (image, self.source_rows[i])
            })
            .collect();
        for id in further {
            let image = RawImage { id: id.clone(), file_name: None, width: None, height: None };
            all.push((image, None));
        }
        let ids: Vec<Id> = all.iter().map(|(image, _)| image.id.clone()).collect();
        let mut images = Self::default();
        let mut moved = vec![0; self.len()];
        for position in canonical_order(&ids) {
            let (image, source_row) = &all[position as usize];
            if images.ids.last() != Some(&image.id) {
                images.push(image.clone(), *source_row);
            }
            if let Some(row) = moved.get_mut(position as usize) {
                *row = images.ids.len() as u32 - 1;
                images.groups[*row as usize].clone_from(&self.groups[position as usize]);
            }
        }
        images.index();
        (images, moved)
    }

    /// Row of each id. An integer and a text that look alike meet when only one of them is used here and only one is an
    /// image.
    pub fn resolve(&self, uses: &IdTable, unknown_code: &'static str) -> Resolved {
        let mut rows = Vec::with_capacity(uses.len());
        let mut coerced: Option<Finding> = None;
        let mut ambiguous: Option<Finding> = None;
        let mut unknown: Option<Finding> = None;
        for (i, id) in uses.ids.iter().enumerate() {
            if let Some(row) = self.position(id) {
                rows.push(Some(row));
                continue;
            }
            let (alike, also_used) = match id.look_alike() {
                Some(other) => (self.position(&other), uses.position(&other).is_some()),
                None => (None, false),
            };
            let (slot, code) = match (alike, also_used) {
                (Some(_), false) => (&mut coerced, "image-id-coerced"),
                (Some(_), true) => (&mut ambiguous, "image-id-ambiguous"),
                _ => (&mut unknown, unknown_code),
            };
            let finding = slot.get_or_insert_with(|| Finding {
                count: 0,
                field: Some("image_id"),
                value: Some(id.to_string()),
                extra: Some(0.0),
                ..Finding::new(code, uses.first_rows[i])
            });
            finding.count += uses.uses[i];
            finding.extra = finding.extra.map(|distinct| distinct + 1.0);
            rows.push(alike.filter(|_| !also_used));
        }
        Resolved { rows, findings: [coerced, ambiguous, unknown].into_iter().flatten().collect() }
    }
}

/// The first field in which two entries of one image differ.
fn difference(a: &RawImage, b: &RawImage) -> Option<&'static str> {
    if a.file_name != b.file_name {
        Some("file_name")
    } else if a.width != b.width {
        Some("width")
    } else if a.height != b.height {
        Some("height")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(id: Id) -> RawImage {
        RawImage { id, file_name: None, width: Some(4.0), height: Some(3.0) }
    }

    #[test]
    fn repeats_are_dropped_and_counted_conflicts_told_apart() {
        let other = RawImage { width: Some(5.0), ..image(Id::Integer(2)) };
        let raw = [image(Id::Integer(2)), image(Id::Integer(1)), image(Id::Integer(2)), other];
        let (images, findings) = Images::build(&raw);
        assert_eq!(images.ids, [Id::Integer(1), Id::Integer(2)]);
        let codes: Vec<_> = findings.iter().map(|f| (f.code, f.row, f.other, f.field)).collect();
        assert_eq!(codes, [("image-repeated", 0, Some(2), None), ("image-conflict", 0, Some(3), Some("width"))]);
    }

    #[test]
    fn look_alikes_meet_only_when_nothing_else_can_be_meant() {
        let (images, _) = Images::build(&[image(Id::Integer(1)), image(Id::Text("7".into()))]);
        let mut uses = IdTable::default();
        uses.insert(Id::Text("1".into()), 0, 3);
        uses.integer(7, 3);
        uses.integer(9, 4);
        let resolved = images.resolve(&uses, "unknown-image");
        assert_eq!(resolved.rows, [Some(0), Some(1), None]);
        let codes: Vec<_> = resolved.findings.iter().map(|f| (f.code, f.count, f.row)).collect();
        assert_eq!(codes, [("image-id-coerced", 4, 0), ("unknown-image", 1, 4)]);
        uses.integer(1, 5);
        assert_eq!(images.resolve(&uses, "unknown-image").rows[0], None);
    }

    #[test]
    fn further_images_find_their_place() {
        let (mut images, _) = Images::build(&[image(Id::Integer(5)), image(Id::Text("a".into()))]);
        images.groups[0] = Some("clip".into());
        let (more, moved) = images.with(&[Id::Integer(7), Id::Integer(1)]);
        assert_eq!(more.ids, [Id::Integer(1), Id::Integer(5), Id::Integer(7), Id::Text("a".into())]);
        assert_eq!(moved, [1, 3]);
        assert_eq!(more.groups[1].as_deref(), Some("clip"));
        assert!([0, 2, 3].into_iter().all(|row| more.groups[row].is_none()));
    }
}
