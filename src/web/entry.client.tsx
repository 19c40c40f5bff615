import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { privateAreas } from '#shared/paths.ts'
import { noteEarlyChoices } from './app/early-input.ts'
import { LanguageProvider, loadText, type Locale } from './app/text.tsx'

// Hydration needs the language in which the page was rendered; the stored choice is applied afterwards.
const locale: Locale = document.documentElement.lang === 'en-US' ? 'en-US' : 'zh-CN'
const isPrivate = privateAreas.some((area) => location.pathname.startsWith(area))
// The private areas need all words for their first page, so these are fetched at once.
const text = await loadText(locale, isPrivate)
// The browser keeps the state of an address over a reload. The server does not know it, so a public page is hydrated without.
const entry = history.state as { usr?: unknown } | null
if (!isPrivate && entry?.usr) history.replaceState({ ...entry, usr: null }, '')
noteEarlyChoices()
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <LanguageProvider initial={text}>
        <HydratedRouter />
      </LanguageProvider>
    </StrictMode>,
  )
})
