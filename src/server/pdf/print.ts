/** What a PDF shows, as plain values: they travel to the process that draws it. Every text is in the language of the reader already. */
export type Print = {
  language: 'zh-CN' | 'en'
  /** In the properties of the file. */
  title: string
  author: string
  /** When it was made, as an ISO moment. */
  madeAt: string
  header: { left: string; right: string }
  footer: {
    left: string
    /** With `{page}` and `{pages}` for the numbers, which are known when the pages are. */
    pages: string
  }
  /** Across each page, for what does not hold, or not any more. */
  watermark: string | null
  blocks: readonly Block[]
  /** The last line of a print some of whose signs the font does not have; `{signs}` stands for them. */
  replacedNote: string
}

export type Block =
  /** The head of the first page. */
  | { kind: 'title'; text: string; lines: readonly string[]; qr: { address: string; label: string } }
  | { kind: 'heading'; text: string }
  | { kind: 'subheading'; text: string }
  | { kind: 'facts'; rows: readonly Fact[] }
  | { kind: 'items'; items: readonly Item[] }
  | { kind: 'paragraph'; text: string; tone?: 'small' }
  | Table
  /** Room for seals and signatures, side by side, on one page with the blocks `above` it, or on one of its own that is headed by `alone`. */
  | { kind: 'signatures'; above: readonly Block[]; alone: string; sides: readonly { title: string; lines: readonly string[] }[] }

export type Fact = { label: string; value: string; strong?: boolean }
export type Item = { no: string; text: string }

/** A table whose headings stand on each of its pages. Lines of a cell after the first are smaller, and in a column that is `small` all are. */
export type Table = {
  kind: 'table'
  /** Empty where the heading above is its own. */
  title: string
  columns: readonly Column[]
  rows: readonly (readonly Cell[])[]
  /** Below the rows: a label, and its value under the last two columns. */
  total?: { label: string; value: string }
}
/** `width` in points, or as much as is left. */
export type Column = { label: string; width: number | 'rest'; numeric?: boolean; small?: boolean }
export type Cell = string | readonly string[]
