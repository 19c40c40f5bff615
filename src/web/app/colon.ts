import type { Text } from '#shared/text/zh-cn.ts'

/** What stands between a label and the words it belongs to. It stands apart from the other formats, which every public page fetches. */
export const colon = ({ locale }: Pick<Text, 'locale'>): string => (locale === 'zh-CN' ? '：' : ': ')
