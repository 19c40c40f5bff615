import { createContext, useContext } from 'react'
import { themeProgram } from './theme.ts'

/** A script inside the document: a program of the site, or data for it. */
export type InlineScript = { id: string; type?: 'application/json'; text: string }

/** Style and scripts of the document that the server renders (`src/web/app/document.ts`). Null in the browser, which has the document already. */
export const DocumentContext = createContext<{ style: string; scripts: readonly InlineScript[] } | null>(null)

const styleInPage = typeof document === 'undefined' ? '' : (document.getElementById('page-style')?.textContent ?? '')

/** Writes the style into the page, so the first paint waits for no request. In the browser it repeats the text that it finds there. */
export function InlineStyle() {
  const style = useContext(DocumentContext)?.style ?? styleInPage
  return <style id="page-style" dangerouslySetInnerHTML={{ __html: style }} />
}

/** Goes before the style, which it chooses from. */
export const ThemeProgram = () => <script dangerouslySetInnerHTML={{ __html: themeProgram }} />

/** Replaces the router's `Scripts`. In the browser it renders nothing, because hydration skips scripts of the document. */
export function DocumentScripts() {
  return useContext(DocumentContext)?.scripts.map(({ id, type, text }) => (
    <script key={id} id={id} type={type} dangerouslySetInnerHTML={{ __html: text }} />
  ))
}
