import { en } from '#shared/text/en.ts'
import { zhCn, type Text } from '#shared/text/zh-cn.ts'

export type Locale = 'zh-CN' | 'en-US'

export function localeOf(acceptLanguage: string | undefined): Locale {
  return acceptLanguage?.trim().toLowerCase().startsWith('en') ? 'en-US' : 'zh-CN'
}

/** The language of a page, by the cookie that `src/web/app/text.tsx` sets. */
export const localeOfCookie = (cookie = ''): Locale => (/(?:^|;\s*)locale=en-US/.test(cookie) ? 'en-US' : 'zh-CN')

export const textOf = (locale: Locale): Text => (locale === 'en-US' ? en : zhCn)
