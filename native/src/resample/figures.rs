//! Which figures are asked for, and which cells they need.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Mean precision over recall points (or the area under the precision envelope), thresholds and labels.
    Precision,
    /// Mean recall over thresholds and labels.
    Recall,
    /// Ground truth that counts, over labels.
    Objects,
}

/// One figure; `area`, `limit`, `thresholds` and `labels` are positions.
#[derive(Clone)]
pub struct Figure {
    pub kind: Kind,
    pub area: usize,
    pub limit: usize,
    pub thresholds: Vec<usize>,
    pub labels: Vec<usize>,
}

/// What is asked for, of matches with `num_areas` area ranges.
pub struct Request {
    pub num_labels: usize,
    pub num_areas: usize,
    /// Detections an image and label, ascending.
    pub limits: Vec<u32>,
    /// Ascending.
    pub recall_points: Vec<f64>,
    pub every_point: bool,
    /// Divide by `fp + tp + 2^-52`, as pycocotools does.
    pub spaced: bool,
    pub figures: Vec<Figure>,
}

/// An area range at a limit, with the thresholds that some figure asks for there, ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    pub area: usize,
    pub limit: usize,
    pub thresholds: Vec<usize>,
}

impl Request {
    /// The sheets that figures of a kind need, by limit and area.
    pub fn sheets(&self, kind: Kind) -> Vec<Sheet> {
        let mut sheets: Vec<Sheet> = Vec::new();
        for figure in self.figures.iter().filter(|figure| figure.kind == kind) {
            match sheets.iter_mut().find(|sheet| (sheet.area, sheet.limit) == (figure.area, figure.limit)) {
                Some(sheet) => sheet.thresholds.extend(&figure.thresholds),
                None => {
                    sheets.push(Sheet { area: figure.area, limit: figure.limit, thresholds: figure.thresholds.clone() })
                }
            }
        }
        for sheet in &mut sheets {
            sheet.thresholds.sort_unstable();
            sheet.thresholds.dedup();
        }
        sheets.sort_by_key(|sheet| (sheet.limit, sheet.area));
        sheets
    }
}

impl Figure {
    /// Position of the figure's sheet among others, and of its thresholds in it.
    pub fn place(&self, sheets: &[Sheet]) -> (usize, Vec<usize>) {
        let own = |sheet: &Sheet| (sheet.area, sheet.limit) == (self.area, self.limit);
        let sheet = sheets.iter().position(own).expect("every figure has a sheet");
        let thresholds = &sheets[sheet].thresholds;
        let places = self.thresholds.iter().map(|t| thresholds.binary_search(t).expect("every threshold is in it"));
        (sheet, places.collect())
    }
}
