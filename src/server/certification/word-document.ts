import { promisify } from 'node:util'
import { strToU8, zip, type AsyncZippable } from 'fflate'
import type { Paper } from '#shared/text/papers.ts'

const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

const contentTypes = `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
const packageRelations = `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`

/** Writes a paper as a document of Word, which people complete, print, sign and seal. */
export async function wordDocument({ title, paragraphs, signatures }: Paper): Promise<Uint8Array> {
  const body = [
    paragraph(title, { size: 36, bold: true, layout: '<w:jc w:val="center"/>' }),
    ...paragraphs.map((text) => paragraph(text, { size: 24, layout: '<w:spacing w:line="400" w:lineRule="auto"/>' })),
    paragraph('', { size: 24, layout: '' }),
    ...signatures.map((text) => paragraph(text, { size: 24, layout: '<w:spacing w:before="320"/><w:ind w:left="3600"/>' })),
  ].join('')
  // A4 with margins of 2.5 cm, in twentieths of a point.
  const page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1418" w:right="1418" w:bottom="1418" w:left="1418"/></w:sectPr>'
  const files: AsyncZippable = {
    '[Content_Types].xml': strToU8(contentTypes),
    '_rels/.rels': strToU8(packageRelations),
    'word/document.xml': strToU8(`${head}<w:document xmlns:w="${main}"><w:body>${body}${page}</w:body></w:document>`),
  }
  return promisify<AsyncZippable, Uint8Array>(zip)(files)
}

/** `size`: in half points. */
function paragraph(text: string, { size, bold = false, layout }: { size: number; bold?: boolean; layout: string }): string {
  const runProperties = `<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="SimSun"/>${bold ? '<w:b/>' : ''}<w:sz w:val="${size}"/>`
  return `<w:p><w:pPr>${layout}</w:pPr><w:r><w:rPr>${runProperties}</w:rPr><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** A form may hold any sign; XML takes no control characters. */
const escaped = (text: string) => text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ').replace(/[&<>]/g, (mark) => marks[mark] ?? '')
