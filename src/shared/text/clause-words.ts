import { clauseWords as en } from './en/clauses.ts'
import { nameIn } from './name-in.ts'
import { clauseWords as zhCn } from './zh-cn/clauses.ts'
import type { Text } from './zh-cn.ts'

export type ClauseWords = typeof zhCn

/** The sentences of clauses in the language of a catalogue. They stand apart from it, so that only the pages of contracts fetch them. */
export const clauseWordsOf = (text: Pick<Text, 'locale'>): ClauseWords => nameIn<ClauseWords>(text, zhCn, en)
