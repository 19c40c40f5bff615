import sax from 'sax'
import { Refusal } from '../http/refusal.ts'
import { unpack, type Entry } from './archive.ts'
import { workbookLimits } from './limits.ts'

export type Attributes = Record<string, string>

export type XmlReader = {
  open: (name: string, attributes: Attributes) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

/** The bytes that may still be unpacked from one archive. */
export type Unpacking = { archive: Buffer; left: number }

/** Reads one XML entry while it is unpacked, so neither the entry nor its tree is ever in memory. Names come without their prefixes. */
export function readXml(unpacking: Unpacking, entry: Entry, { open, close, text }: XmlReader): void {
  const xml = sax.parser(true)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let depth = 0
  let attributes = 0
  Object.assign(xml, {
    onerror(error: Error) {
      throw error
    },
    // A workbook has no document type, and with one it could define entities.
    ondoctype() {
      throw new Refusal('import_template')
    },
    onattribute() {
      attributes++
      if (attributes > workbookLimits.attributes) throw new Refusal('import_bounds')
    },
    onopentag(tag: { name: string; attributes: Attributes }) {
      depth++
      if (depth > workbookLimits.depth) throw new Refusal('import_bounds')
      attributes = 0
      open(localName(tag.name), tag.attributes)
    },
    onclosetag(name: string) {
      depth--
      close?.(localName(name))
    },
    ...(text && { ontext: text, oncdata: text }),
  })
  unpack(unpacking.archive, entry, (bytes) => {
    unpacking.left -= bytes.length
    if (unpacking.left < 0) throw new Refusal('import_bounds')
    xml.write(decoder.decode(bytes, { stream: true }))
  })
  xml.write(decoder.decode()).close()
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
