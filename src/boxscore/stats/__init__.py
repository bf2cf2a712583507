"""Plans of resampling, intervals, tests and power: arrays in, arrays out. It knows no images, labels or measures."""
