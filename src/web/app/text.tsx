import { createContext, useCallback, useContext, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { joinedWords } from '#shared/text/private-words.ts'
import type { Text } from '#shared/text/zh-cn.ts'

export type Locale = 'zh-CN' | 'en-US'
const key = 'locale'

/** Loads the words of a language: those of public pages, and those of the private areas once one of these has been opened (decision 48). */
export async function loadText(locale: Locale, whole = isWhole): Promise<Text> {
  isWhole = whole
  const [open, rest] = await Promise.all([loadPublic[locale](), whole ? loadPrivate[locale]() : undefined])
  if (!rest) return open
  const text = joined.get(locale) ?? joinedWords(open, rest)
  joined.set(locale, text)
  return text
}

const loadPublic = {
  'zh-CN': async (): Promise<Text> => (await import('#shared/text/zh-cn.ts')).zhCn,
  'en-US': async (): Promise<Text> => (await import('#shared/text/en.ts')).en,
}
const loadPrivate = {
  'zh-CN': async (): Promise<Text> => (await import('#shared/text/zh-cn.ts?private')).zhCn,
  'en-US': async (): Promise<Text> => (await import('#shared/text/en.ts?private')).en,
}
const joined = new Map<Locale, Text>()
let isWhole = false

/** Adds the words of the private areas to those that are shown, before the first page of such an area is. */
export async function loadPrivateWords(): Promise<Text> {
  const text = await loadText((document.documentElement.lang as Locale) || storedLocale(), true)
  if (text !== current) show(text)
  return text
}

/** The language that was chosen, Chinese where none was. Any other code falls back to English (specification 9). */
export function storedLocale(): Locale {
  const stored = localStorage.getItem(key)
  return stored === null || stored === 'zh-CN' ? 'zh-CN' : 'en-US'
}

type Language = { text: Text; locale: Locale; setLocale(locale: Locale): Promise<void> }

const LanguageContext = createContext<Language | null>(null)

let current: Text | null = null
const listeners = new Set<() => void>()
function show(text: Text): void {
  current = text
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The catalogue for code outside of components, such as the toasts of the API client. */
export const currentText = (): Text | null => current

export function LanguageProvider({ initial, children }: { initial: Text; children: ReactNode }) {
  const text = useSyncExternalStore(
    subscribe,
    () => current ?? initial,
    () => initial,
  )
  const setLocale = useCallback(async (locale: Locale) => {
    localStorage.setItem(key, locale)
    // The server renders public pages in the language of this cookie.
    document.cookie = `locale=${locale}; path=/; max-age=31536000; samesite=lax`
    const next = await loadText(locale)
    document.documentElement.lang = locale
    show(next)
  }, [])
  useEffect(() => {
    current ??= initial
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
