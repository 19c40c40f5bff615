import { printWords as en } from './en/print.ts'
import { printWords as zhCn } from './zh-cn/print.ts'
import type { Text } from './zh-cn.ts'

export type PrintWords = typeof zhCn

/** The words of PDFs in the language of a catalogue. They stand apart from it, because no page shows them. */
export const printWordsOf = ({ locale }: Pick<Text, 'locale'>): PrintWords => (locale === zhLocale ? zhCn : en)

const zhLocale = 'zh-CN'
