import type { Text } from './zh-cn.ts'

/** A name in the language of the text, of a thing that has one in each. */
export const nameIn = <N extends string | undefined>({ locale }: Pick<Text, 'locale'>, name: N, nameEn: N): N =>
  locale === 'zh-CN' ? name : nameEn
