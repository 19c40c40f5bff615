import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { privateAreas } from '#shared/paths.ts'
import { noteEarlyChoices } from './app/early-input.ts'
import { LanguageProvider, loadText, type Locale } from './app/text.tsx'

// Hydration needs the language in which the page was rendered; the stored choice is applied afterwards.
const locale: Locale = document.documentElement.lang === 'en-US' ? 'en-US' : 'zh-CN'
// The private areas need all words for their first page, so these are fetched at once.
const text = await loadText(
  locale,
  privateAreas.some((area) => location.pathname.startsWith(area)),
)
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
