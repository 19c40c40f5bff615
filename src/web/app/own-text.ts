import { own as english } from '#shared/text/en/own.ts'
import { own as chinese, type OwnText } from '#shared/text/zh-cn/own.ts'
import { useLanguage } from './text.tsx'

/** The words of the parts that are fetched for people who have signed in. */
export const useOwnText = (): OwnText => (useLanguage().locale === 'en-US' ? english : chinese)
