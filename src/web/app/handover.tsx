import { createContext, useContext } from 'react'

/** A script of the document: a program of the site, or data for it. */
export type InlineScript = { id: string; type?: 'application/json'; text: string }

/** What the server knows of the document it renders (`src/web/app/document.ts`); null in the browser, which has the document already. */
export const DocumentContext = createContext<{ style: string; scripts: readonly InlineScript[] } | null>(null)

const styleInPage = typeof document === 'undefined' ? '' : (document.getElementById('look')?.textContent ?? '')

/** Writes the style into the page itself, so nothing has to be fetched before it is painted. The browser takes over what it finds. */
export function InlineStyle() {
  const style = useContext(DocumentContext)?.style ?? styleInPage
  return <style id="look" dangerouslySetInnerHTML={{ __html: style }} />
}

/** Stands in the place of the router's `Scripts`. In the browser it renders nothing: hydration passes over scripts of the document. */
export function Handover() {
  return useContext(DocumentContext)?.scripts.map(({ id, type, text }) => (
    <script key={id} id={id} type={type} dangerouslySetInnerHTML={{ __html: text }} />
  ))
}
