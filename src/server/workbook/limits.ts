/**
 * Bounds of a workbook that somebody hands in. A template of the platform with 2,000 machines has 12 entries, 9 MB unpacked and 120,000
 * cells.
 */
export const workbookLimits = {
  bytes: 5 * 1024 * 1024,
  entries: 200,
  unpackedBytes: 25 * 1024 * 1024,
  /** Those of the format (ECMA-376 part 1, 18.3.1.73 and 18.3.1.4). */
  rowNo: 1_048_576,
  columns: 16_384,
  cells: 300_000,
  /** Characters of one cell, which is the limit of the format, and of all cells together. */
  cellText: 32_767,
  text: 4_000_000,
  depth: 64,
  attributes: 100,
} as const

/** Bounds of the thread that reads or writes one workbook. */
export const threadLimits = { timeMs: 15_000, heapMb: 64, youngHeapMb: 8, stackMb: 4 } as const
