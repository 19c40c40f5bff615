import type { Content, CustomTableLayout, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { heightOf, onePiece } from './height.ts'
import type { Block, Cell, Column, Fact, Item, Print, Table } from './print.ts'

export const fontFamily = 'NotoSansSC'

const colours = { ink: '#16202e', soft: '#4a5870', line: '#c9d2de', shade: '#f1f4f8', stamp: '#b3261e' }
const margin = { side: 56, top: 66, bottom: 62 }
const lineWidth = 0.5
/** Of texts, in points. */
const sizes = { body: 10, cell: 9, small: 8.5, edge: 8, detail: 7.5, hash: 6.5 }
/** Within the cells of tables. */
const padding = { side: 4, row: 3 }
/** The width of A4 between the margins. */
const contentWidth = 595.28 - 2 * margin.side
const labelWidth = 118
const numberWidth = 32
type Margin = [left: number, top: number, right: number, bottom: number]

/** Writes a print as pdfmake wants it. The font has every sign of its texts already (`readableBy`). */
export function definitionOf({ header, footer, watermark, ...print }: Print): TDocumentDefinitions {
  return {
    pageSize: 'A4',
    pageMargins: [margin.side, margin.top, margin.side, margin.bottom],
    version: '1.7',
    language: print.language,
    displayTitle: true,
    info: { title: print.title, author: print.author, creationDate: new Date(print.madeAt) },
    defaultStyle: { font: fontFamily, fontSize: sizes.body, lineHeight: 1.25, color: colours.ink },
    styles: {
      title: { fontSize: 20, bold: true, alignment: 'center' },
      heading: { fontSize: 12.5, bold: true },
      subheading: { bold: true, color: colours.soft },
      edge: { fontSize: sizes.edge, color: colours.soft },
      small: { fontSize: sizes.small, color: colours.soft },
    },
    content: keepTogether(print.blocks.flatMap((block) => piecesOf(block))),
    header: () => ({
      margin: [margin.side, 32, margin.side, 0],
      stack: [{ columns: [{ text: header.left }, { text: header.right, alignment: 'right' }], style: 'edge' }, rule(4)],
    }),
    footer: (page: number, pages: number) => ({
      margin: [margin.side, 12, margin.side, 0],
      stack: [
        rule(0),
        {
          margin: [0, 5, 0, 0],
          columns: [
            { text: footer.left, width: '*', fontSize: sizes.hash, color: colours.soft },
            {
              text: footer.pages.replace('{page}', String(page)).replace('{pages}', String(pages)),
              width: 'auto',
              alignment: 'right',
              style: 'edge',
            },
          ],
        },
      ],
    }),
    ...(watermark !== null && {
      watermark: {
        text: watermark,
        font: fontFamily,
        bold: true,
        color: colours.stamp,
        opacity: 0.1,
        fontSize: watermarkSize(watermark),
        angle: -45,
      },
    }),
  }
}

/** Points: as large as lies across A4 from corner to corner. A Chinese character is as wide as it is high, a Latin capital two thirds of that. */
function watermarkSize(watermark: string): number {
  const ems = [...watermark].reduce((sum, sign) => sum + (sign > '\u2e7f' ? 1 : 0.67), 0)
  return Math.min(110, Math.floor(680 / ems))
}

const rule = (below: number): Content => ({
  canvas: [{ type: 'line', x1: 0, y1: below, x2: contentWidth, y2: below, lineWidth, lineColor: colours.line }],
})

/** A part of the content. `height` is surely enough for it; a heading stays with what follows it, and a table may break between its rows. */
type Piece = { content: Content; height: number; withNext?: boolean; mayBreak?: boolean }

const heightOfAll = (pieces: readonly Piece[]) => pieces.reduce((sum, { height }) => sum + height, 0)

/** Puts headings and what follows them into one piece, and each other part that may be. */
function keepTogether(pieces: readonly Piece[]): Content[] {
  const content: Content[] = []
  let heads: Piece[] = []
  for (const piece of pieces) {
    heads.push(piece)
    if (piece.withNext) continue
    const stack = heads.map((one) => one.content)
    if (heightOfAll(heads) <= onePiece && !piece.mayBreak) content.push({ stack, unbreakable: true })
    else content.push(...stack)
    heads = []
  }
  return [...content, ...heads.map((one) => one.content)]
}

const headHeight = 45

function piecesOf(block: Block): Piece[] {
  switch (block.kind) {
    case 'title':
      return [{ content: titleOf(block), height: Infinity }]
    case 'heading':
      return [{ content: { text: block.text, style: 'heading', margin: [0, 15, 0, 5] }, height: headHeight, withNext: true }]
    case 'subheading':
      return [{ content: { text: block.text, style: 'subheading', margin: [0, 8, 0, 3] }, height: headHeight, withNext: true }]
    case 'facts':
      // pdfmake takes no table without rows.
      return block.rows.length > 0 ? [factsOf(block.rows)] : []
    case 'items':
      return block.items.map((item) => itemOf(item))
    case 'paragraph':
      return [
        {
          content: { text: block.text, ...(block.tone && { style: block.tone }), margin: [0, 2, 0, 4] },
          height: heightOf(block.text, { width: contentWidth, fontSize: sizes.body }) + 6,
        },
      ]
    case 'table':
      return [tableOf(block)]
    case 'signatures':
      return signedPieces(block)
  }
}

/** The QR code has its like on the left, so the title stands in the middle. */
const titleOf = ({ text, lines, qr }: Extract<Block, { kind: 'title' }>): Content => ({
  margin: [0, 0, 0, 8],
  columns: [
    { text: '', width: 76 },
    {
      width: '*',
      margin: [0, 12, 0, 0],
      stack: [
        { text, style: 'title' },
        ...lines.map((line): Content => ({ text: line, style: 'small', alignment: 'center', margin: [0, 3, 0, 0] })),
      ],
    },
    {
      width: 76,
      stack: [
        { qr: qr.address, fit: 68, eccLevel: 'M', alignment: 'right' },
        { text: qr.label, fontSize: sizes.hash, color: colours.soft, alignment: 'right', margin: [0, 2, 0, 0] },
      ],
    },
  ],
})

function factsOf(rows: readonly Fact[]): Piece {
  const valueWidth = contentWidth - labelWidth - 4 * padding.side
  const heights = rows.map(
    ({ label, value }) =>
      Math.max(heightOf(label, { width: labelWidth, fontSize: sizes.body }), heightOf(value, { width: valueWidth, fontSize: sizes.body })) +
      2 * padding.row,
  )
  return {
    height: heights.reduce((sum, height) => sum + height, 0),
    content: {
      table: {
        widths: [labelWidth, '*'],
        dontBreakRows: Math.max(...heights) <= onePiece,
        body: rows.map(({ label, value, strong }): TableCell[] => [
          { text: label, color: colours.soft },
          { text: value, bold: strong === true },
        ]),
      },
      layout: lined({ titleRow: false, shadedRow: null }),
    },
  }
}

const itemOf = ({ no, text }: Item): Piece => ({
  height: heightOf(text, { width: contentWidth - numberWidth, fontSize: sizes.body }) + 3,
  content: {
    margin: [0, 1.5, 0, 1.5],
    columns: [
      { text: no, width: numberWidth, color: colours.soft },
      { text, width: '*' },
    ],
  },
})

function tableOf({ title, columns, rows, total }: Table): Piece {
  const alignment = columns.map(({ numeric }) => (numeric ? ('right' as const) : ('left' as const)))
  const spanned = columns.slice(1).map((): TableCell => '')
  const heights = rows.map((row) => rowHeight(row, columns))
  const mayStayWhole = Math.max(...heights, 0) + 2 * headHeight <= onePiece
  const headerRows = title ? 2 : 1
  const totalCells: TableCell[] = total
    ? [
        { text: total.label, bold: true, fontSize: sizes.cell, colSpan: columns.length - 2 },
        ...spanned.slice(2),
        { text: total.value, bold: true, fontSize: sizes.cell, alignment: 'right', colSpan: 2 },
        '',
      ]
    : []
  return {
    height: heights.reduce((sum, height) => sum + height, 0) + 3 * headHeight,
    mayBreak: true,
    content: {
      margin: [0, title ? 12 : 4, 0, 4],
      table: {
        headerRows,
        keepWithHeaderRows: mayStayWhole ? 1 : 0,
        dontBreakRows: mayStayWhole,
        widths: columns.map(({ width }) => (width === 'rest' ? '*' : width)),
        body: [
          ...(title ? [[{ text: title, style: 'heading', colSpan: columns.length, margin: [-4, 0, 0, 2] as Margin }, ...spanned]] : []),
          columns.map(({ label }, at): TableCell => ({
            text: label,
            bold: true,
            fontSize: sizes.small,
            alignment: alignment[at] ?? 'left',
          })),
          ...rows.map((row) =>
            row.map((cell, at): TableCell => ({ alignment: alignment[at] ?? 'left', stack: linesOf(cell, columns[at]?.small === true) })),
          ),
          ...(total ? [totalCells] : []),
        ],
      },
      layout: lined({ titleRow: title !== '', shadedRow: headerRows - 1 }),
    },
  }
}

const textsOf = (cell: Cell): readonly string[] => (typeof cell === 'string' ? [cell] : cell)

const linesOf = (cell: Cell, isSmall: boolean): Content[] =>
  textsOf(cell).map((text, at) => {
    if (at === 0) return { text, fontSize: isSmall ? sizes.detail : sizes.cell }
    return { text, fontSize: sizes.detail, ...(!isSmall && { color: colours.soft }) }
  })

function rowHeight(row: readonly Cell[], columns: readonly Column[]): number {
  const fixed = columns.reduce((sum, { width }) => sum + (width === 'rest' ? 0 : width) + 2 * padding.side, 0)
  const rest = (contentWidth - fixed) / columns.filter(({ width }) => width === 'rest').length
  const heights = row.map((cell, at) => {
    const { width = 'rest', small = false } = columns[at] ?? {}
    const fontSizeOf = (line: number) => (line === 0 && !small ? sizes.cell : sizes.detail)
    return textsOf(cell).reduce(
      (sum, text, line) => sum + heightOf(text, { width: width === 'rest' ? rest : width, fontSize: fontSizeOf(line) }),
      0,
    )
  })
  return Math.max(...heights) + 2 * padding.row
}

/** Lines between the rows and none between the columns, nor above a row that is the title. */
const lined = ({ titleRow, shadedRow }: { titleRow: boolean; shadedRow: number | null }): CustomTableLayout => ({
  hLineWidth: (at) => (titleRow && at === 0 ? 0 : lineWidth),
  vLineWidth: () => 0,
  hLineColor: () => colours.line,
  paddingTop: () => padding.row,
  paddingBottom: () => padding.row,
  paddingLeft: () => padding.side,
  paddingRight: () => padding.side,
  fillColor: (row) => (row === shadedRow ? colours.shade : null),
})

/** Seals stand on one page with the blocks above them. Where these are too high, the page of the seals says whose it is, so that it seals no empty sheet. */
function signedPieces({ above, alone, sides }: Extract<Block, { kind: 'signatures' }>): Piece[] {
  const pieces = above.flatMap((block) => piecesOf(block))
  const seals = signaturesOf(sides)
  const whole = [...pieces, seals]
  const height = heightOfAll(whole)
  if (height <= onePiece) return [{ content: whole.map(({ content }) => content), height }]
  const head: Content = { text: alone, style: 'small', pageBreak: 'before' }
  return [...pieces, { ...seals, content: [head, seals.content], mayBreak: true }]
}

/** Both sides line by line, so that they stand level whatever the length of a name. */
function signaturesOf(sides: readonly { title: string; lines: readonly string[] }[]): Piece {
  const width = contentWidth / Math.max(sides.length, 1) - 20
  return {
    height: Math.max(...sides.map(({ title }) => heightOf(title, { width, fontSize: sizes.body }))) + 150,
    content: {
      margin: [0, 20, 0, 0],
      table: {
        widths: sides.map(() => '*'),
        body: [
          sides.map(({ title }): TableCell => ({ text: title, bold: true, margin: [0, 0, 20, 34] })),
          ...(sides[0]?.lines ?? []).map((_, at) =>
            sides.map(({ lines }): TableCell => ({ text: lines[at] ?? '', margin: [0, 0, 20, 10] })),
          ),
        ],
      },
      layout: 'noBorders',
    },
  }
}
