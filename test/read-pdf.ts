import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of a page without its blanks: what stands between header and footer, the two, and what lies across it. */
type ReadPage = { body: string; header: string; footer: string; across: string }

/** Where header and footer of our prints end, in points from the bottom of A4. */
const bodyEnds = { bottom: 60, top: 778 }

/** Reads the text of a PDF back, as a reader other than the one that wrote it. */
export async function readPdf(content: Uint8Array): Promise<ReadPage[]> {
  const task = getDocument({ data: Uint8Array.from(content), verbosity: 0 })
  const document = await task.promise
  const pages: ReadPage[] = []
  for (let no = 1; no <= document.numPages; no++) {
    const read: ReadPage = { body: '', header: '', footer: '', across: '' }
    const { items } = await (await document.getPage(no)).getTextContent()
    for (const item of items) {
      if (!('str' in item)) continue
      const [, turned = 0, , , , y = 0] = item.transform as number[]
      const part = turned !== 0 ? 'across' : y > bodyEnds.top ? 'header' : y < bodyEnds.bottom ? 'footer' : 'body'
      read[part] += item.str.replace(/\s/g, '')
    }
    pages.push(read)
  }
  await task.destroy()
  return pages
}
