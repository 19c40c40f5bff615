import { existsSync, readFileSync } from 'node:fs'
import pdfmake from 'pdfmake'
import { coverageOf, readableBy } from './coverage.ts'
import { definitionOf, fontFamily } from './definition.ts'
import type { Block, Print } from './print.ts'

/** The build has the two files that are needed; the tests run without a build, on the package they come from (decision 53). */
const folders = ['../../../build/fonts/', '../../../node_modules/@expo-google-fonts/noto-sans-sc/']
const files = { normal: '400Regular/NotoSansSC_400Regular.ttf', bold: '700Bold/NotoSansSC_700Bold.ttf' }

/** The fonts are read once for all prints of the process; each print has only the signs that it shows. */
const coverage = loadFonts()

/** Draws a print. It takes up to a second of one core, so it is done in a process of its own (`makePdf`). */
export async function drawPrint(print: Print): Promise<Uint8Array> {
  const { readable, replaced } = readableBy(coverage)
  const whole = inAll(print, readable)
  const note = { kind: 'paragraph', text: whole.replacedNote.replace('{signs}', [...replaced].join(' ')), tone: 'small' } satisfies Block
  return pdfmake.createPdf(definitionOf({ ...whole, blocks: [...whole.blocks, ...(replaced.size > 0 ? [note] : [])] })).getBuffer()
}

/** The same value with every text in it changed. */
function inAll<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((one: unknown) => inAll(one, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]: [string, unknown]) => [key, inAll(one, change)])) as T
}

function loadFonts() {
  const folder = folders.map((one) => new URL(one, import.meta.url)).find((one) => existsSync(one))
  if (!folder) throw new Error('There are no fonts: run npm run build.')
  const [normal, bold] = [readFileSync(new URL(files.normal, folder)), readFileSync(new URL(files.bold, folder))]
  // The types leave the files in memory out, which pdfmake has on the server as well.
  const { virtualfs } = pdfmake as typeof pdfmake & { virtualfs: { writeFileSync(name: string, content: Buffer): void } }
  virtualfs.writeFileSync('normal.ttf', normal)
  virtualfs.writeFileSync('bold.ttf', bold)
  pdfmake.setFonts({ [fontFamily]: { normal: 'normal.ttf', bold: 'bold.ttf' } })
  // Nothing that stands in a text is fetched or read.
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy(() => false)
  return coverageOf(normal)
}
