import { renderToString } from 'react-dom/server'
import { RouterContextProvider, ServerRouter, type EntryContext } from 'react-router'
import { needsLogin } from '#shared/account/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from './app/text.tsx'
import publicCss from './public/public.css?inline'
import uiCss from './ui/ui.css?inline'
import { tokensCss } from './ui/tokens.ts'
import { lookMark, visitKey, type Visit } from './app/visit.ts'

const lookTag = `<style id="look">${lookMark}`
const look = Buffer.from(tokensCss + uiCss + publicCss)

/**
 * The scripts of a page begin after it was painted (two seconds at the latest), so that they do not compete with what is seen; on a first
 * visit (nothing is stored yet) to a page for everybody whose forms work without them, with the first sign of a person (decision 0020). Links and forms
 * work before; a button pressed before is pressed again when it works. The scripts are fetched together but run one after the other, so
 * that none keeps a tap waiting. What the entry script says stays, without its indentation.
 */
function afterPaint(html: string, waits: boolean): Beginning {
  const from = html.indexOf(entryTag)
  const to = html.indexOf(scriptEnd, from)
  if (from < 0 || to < 0) return { links: '', script: '', from: 0, to: 0 }
  const entry = html.slice(from + entryTag.length, to)
  // Pages of one kind begin with the same scripts.
  let known = beginnings.get(entry)
  if (!known) {
    const modules = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"[^>]*>/g)]
    const parts = modules.map(([, href]) => href ?? '').filter((href) => !/\/(entry\.client|manifest)-/.test(href))
    known = {
      links: modules.map(([link]) => link).join(''),
      script: `<script type="text/plain" id="entry">${entry.replaceAll(/\n\s+/g, '')}</script><script>(${starter})(${JSON.stringify(parts)}, ${waits})</script>`,
    }
    beginnings.set(entry, known)
  }
  return { ...known, from, to: to + scriptEnd.length }
}
/** The links that announce the scripts, in the head, and what stands instead of the entry script from one place to the other. */
type Beginning = { links: string; script: string; from: number; to: number }
const scriptEnd = '</script>'
const entryTag = '<script type="module" async="">'
const beginnings = new Map<string, Pick<Beginning, 'links' | 'script'>>()

// zod is told before it is loaded not to try making code at run time: the policy forbids that and would report it. A page that appears under a
// pointer that rests is told of a move by nothing.
const starter = `async (parts, waits) => {
globalThis.__zod_globalConfig = { jitless: true }
const early = []
const keep = (event) => {
  const button = event.target.closest("button")
  if (!button || button.form?.hasAttribute("action")) return
  event.preventDefault()
  event.stopImmediatePropagation()
  early.push(button)
}
addEventListener("click", keep, true)
addEventListener("hydrated", () => {
  removeEventListener("click", keep, true)
  for (const button of early) if (button.isConnected) button.click()
}, { once: true })
const sign = new Promise((seen) => {
  const moved = (event) => (event.type !== "pointermove" || event.movementX || event.movementY) && seen()
  for (const name of ["pointermove", "pointerdown", "touchstart", "keydown", "wheel", "click"]) addEventListener(name, moved, { passive: true, capture: true })
})
await new Promise((painted) => {
  setTimeout(painted, 2000)
  new PerformanceObserver((seen) => seen.getEntriesByName("first-contentful-paint").length && setTimeout(painted)).observe({ type: "paint", buffered: true })
})
const whole = CSS.supports("selector(::details-content)")
if (waits && whole && !localStorage.length && !location.hash && !document.querySelector("form:not([action])")) await sign
for (const href of parts) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }))
for (const href of parts) {
  await import(href)
  await new Promise((next) => setTimeout(next))
}
const entry = Object.assign(document.createElement("script"), { type: "module", textContent: document.getElementById("entry").textContent })
document.head.append(entry)
entry.remove()
}`

/** Called through the build by the server, so that the key of the context exists once. */
export function visitContext(visit: Visit): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(visitKey, visit)
  return context
}

/** Written out whole: no page here waits for anything slow, and robots get what people get. What the page was rendered from follows as one script. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...rest }: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const visit = context.get(visitKey)
  const html = renderToString(
    <LanguageProvider initial={visit.locale === 'en-US' ? en : zhCn}>
      <ServerRouter context={{ ...rest, manifest: ofThisPage(rest) }} url={request.url} />
    </LanguageProvider>,
  )
  // With its tag, which no text of a person can be: in a title the mark alone could come before.
  const style = html.indexOf(lookTag) + lookTag.length
  const end = html.lastIndexOf('</body>')
  const { links, script, from, to } = afterPaint(html, !needsLogin(new URL(request.url).pathname))
  visit.html = [
    `<!DOCTYPE html>${html.slice(0, style - lookMark.length).replace(links, '')}`,
    look,
    ...(script ? [html.slice(style, from), script, html.slice(to, end)] : [html.slice(style, end)]),
    await handoff(serverHandoffStream),
    html.slice(end),
  ]
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(null, { status, headers })
}

/** The router arranges all routes it is given for each page; of these it needs the ones that match. */
function ofThisPage({ manifest, staticHandlerContext: { matches } }: EntryContext): EntryContext['manifest'] {
  const routes = Object.fromEntries(matches.map(({ route: { id } }) => [id, manifest.routes[id]]))
  return { ...manifest, routes }
}

/** Hands the loaders' data to the router in the browser, as its own streaming does; as data, not as a script that the policy would have to name. */
async function handoff(stream: EntryContext['serverHandoffStream']): Promise<string> {
  const decoder = new TextDecoder()
  let data = ''
  for await (const chunk of stream ?? []) data += decoder.decode(chunk, { stream: true })
  // It is JSON: this sign is only in its strings.
  const text = data.replaceAll('<', String.raw`\u003c`)
  return `<script type="application/json" id="loaded">${text}</script><script>${enqueue}</script>`
}
const enqueue =
  '{const{streamController}=window.__reactRouterContext;streamController.enqueue(document.getElementById("loaded").textContent);streamController.close()}'
