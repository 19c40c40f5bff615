import type { Text } from './zh-cn.ts'

/** Picks, of a value that exists in both languages, the one in the language of the text. */
export const nameIn = <T>({ locale }: Pick<Text, 'locale'>, chinese: T, english: T): T => (locale === 'zh-CN' ? chinese : english)
