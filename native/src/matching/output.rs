//! The columns that matching fills, cut into runs of images.

/// The result columns of some images, to be filled.
pub struct Output<'a> {
    pub rank: &'a mut [u32],
    pub matched: &'a mut [u64],
    pub ignored: &'a mut [u64],
    pub gt: &'a mut [u32],
    pub assignments: &'a mut [u32],
    pub object_matched: &'a mut [u64],
    pub object_ignored: &'a mut [u64],
}

impl<'a> Output<'a> {
    /// The first so many rows, and the rest; `cells` assignments stand in a row.
    pub fn split(self, detections: usize, objects: usize, cells: usize) -> (Output<'a>, Output<'a>) {
        let rank = self.rank.split_at_mut(detections);
        let matched = self.matched.split_at_mut(detections);
        let ignored = self.ignored.split_at_mut(detections);
        let gt = self.gt.split_at_mut(detections);
        let assignments = self.assignments.split_at_mut(detections * cells);
        let object_matched = self.object_matched.split_at_mut(objects);
        let object_ignored = self.object_ignored.split_at_mut(objects);
        (
            Output {
                rank: rank.0,
                matched: matched.0,
                ignored: ignored.0,
                gt: gt.0,
                assignments: assignments.0,
                object_matched: object_matched.0,
                object_ignored: object_ignored.0,
            },
            Output {
                rank: rank.1,
                matched: matched.1,
                ignored: ignored.1,
                gt: gt.1,
                assignments: assignments.1,
                object_matched: object_matched.1,
                object_ignored: object_ignored.1,
            },
        )
    }
}
