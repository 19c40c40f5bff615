import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Text } from '#shared/text/zh-cn.ts'

export type Locale = 'zh-CN' | 'en-US'
const key = 'locale'

/** The catalogues, each fetched when its language is first shown. */
export async function loadText(locale: Locale): Promise<Text> {
  return locale === 'en-US' ? (await import('#shared/text/en.ts')).en : (await import('#shared/text/zh-cn.ts')).zhCn
}

export function storedLocale(): Locale {
  return localStorage.getItem(key) === 'en-US' ? 'en-US' : 'zh-CN'
}

type Language = { text: Text; locale: Locale; setLocale(locale: Locale): Promise<void> }

const LanguageContext = createContext<Language | null>(null)

let current: Text | null = null
/** The catalogue for code outside of components, such as the toasts of the API client. */
export const currentText = (): Text | null => current

export function LanguageProvider({ initial, children }: { initial: Text; children: ReactNode }) {
  const [text, setText] = useState(initial)
  const setLocale = useCallback(async (locale: Locale) => {
    localStorage.setItem(key, locale)
    // The server renders public pages in the language of this cookie.
    document.cookie = `locale=${locale}; path=/; max-age=31536000; samesite=lax`
    const next = await loadText(locale)
    document.documentElement.lang = locale
    setText(next)
  }, [])
  useEffect(() => {
    current = text
  }, [text])
  useEffect(() => {
    const stored = storedLocale()
    if (stored !== initial.locale) void setLocale(stored)
    const follow = (event: StorageEvent) => {
      if (event.key === key) void setLocale(storedLocale())
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [initial, setLocale])
  const language = useMemo(() => ({ text, locale: text.locale as Locale, setLocale }), [text, setLocale])
  return <LanguageContext value={language}>{children}</LanguageContext>
}

export function useLanguage(): Language {
  const language = useContext(LanguageContext)
  if (!language) throw new Error('no language')
  return language
}

export const useText = (): Text => useLanguage().text
