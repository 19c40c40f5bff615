import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { LanguageProvider, loadText, type Locale } from './app/text.tsx'

// The page is hydrated in the language it was rendered in; the stored choice follows after.
const locale: Locale = document.documentElement.lang === 'en-US' ? 'en-US' : 'zh-CN'
const text = await loadText(locale)
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
