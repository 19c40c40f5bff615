import type { Text } from './zh-cn.ts'

/** What stands between the words of a list. */
export const comma = ({ locale }: Pick<Text, 'locale'>): string => (locale === 'zh-CN' ? '、' : ', ')

/** What stands between the parts of a list whose parts may hold commas. */
export const semicolon = ({ locale }: Pick<Text, 'locale'>): string => (locale === 'zh-CN' ? '；' : '; ')
