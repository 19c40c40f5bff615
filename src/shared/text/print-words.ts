import { printWords as en } from './en/print.ts'
import { nameIn } from './name-in.ts'
import { printWords as zhCn } from './zh-cn/print.ts'
import type { Text } from './zh-cn.ts'

export type PrintWords = typeof zhCn

/** The words of PDFs in the language of a catalogue. They stand apart from it, because no page shows them. */
export const printWordsOf = (text: Pick<Text, 'locale'>): PrintWords => nameIn<PrintWords>(text, zhCn, en)
