import { contractChange as en } from './en/contract-change.ts'
import { nameIn } from './name-in.ts'
import { contractChange as zhCn } from './zh-cn/contract-change.ts'
import type { Text } from './zh-cn.ts'

export type AmendmentWords = typeof zhCn

/** The words about amendments in the language of a catalogue. They stand apart from it, so that only the pages of contracts fetch them. */
export const amendmentWordsOf = (text: Pick<Text, 'locale'>): AmendmentWords => nameIn<AmendmentWords>(text, zhCn, en)
