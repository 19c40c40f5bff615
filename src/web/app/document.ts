import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createRoutesStub, ScrollRestoration, type EntryContext } from 'react-router'
import type { InlineScript } from './document-context.tsx'
import { themeProgram } from './theme.ts'

/*
 * The one place that knows how React Router's server hands a page over to React Router in the browser. The router's own `Scripts` would
 * start the scripts at once and write code for each page; decisions 20 and 31 say why the scripts of these pages wait. It relies on these
 * parts of the router, and document.test.ts checks each of them:
 *
 * - `EntryContext`: the routes' manifest with the modules of each route, the string and the stream of the loaders' data.
 * - `HydratedRouter` reads `window.__reactRouterContext` with a `stream`, `__reactRouterManifest` and `__reactRouterRouteModules`.
 * - `ScrollRestoration` renders one script, the same for every page.
 */

/** The JSON of the scripts by the routes of a page: the same routes always have the same scripts. */
const startTexts = new Map<string, string>()

type How = { waits: boolean; words: readonly string[] }

/** Makes the scripts of a document. With `waits` they start at the first input of somebody who visits for the first time (decision 20). */
export async function documentScripts(entry: EntryContext, how: How): Promise<InlineScript[]> {
  return [
    { id: 'start', type: 'application/json', text: startText(entry, how) },
    { id: 'loaded', type: 'application/json', text: inScript(await textOf(entry.serverHandoffStream)) },
    { id: 'starter', text: starter },
  ]
}

/**
 * Reduces the manifest to the routes that match, because the router walks through all routes it is given, and to those of the home page: to a
 * router that knows the root alone, the root is all there is at "/", so it shows an empty page and asks for nothing more.
 */
export function manifestOfPage({ manifest, staticHandlerContext: { matches } }: EntryContext): EntryContext['manifest'] {
  const ids = [...matches.map(({ route: { id } }) => id), ...homeRoutes(manifest.routes)]
  return { ...manifest, routes: Object.fromEntries(ids.map((id) => [id, manifest.routes[id]])) }
}

/** Finds the index route that no path leads to, and the routes it stands in. */
function homeRoutes(routes: EntryContext['manifest']['routes']): string[] {
  const withParents = (id: string | undefined): string[] => (id === undefined ? [] : [id, ...withParents(routes[id]?.parentId)])
  const all = Object.values(routes).map((route) => withParents(route?.index ? route.id : undefined))
  return all.find((ids) => ids.length > 0 && ids.every((id) => !routes[id]?.path)) ?? []
}

/** Lists the inline programs of the pages. The content security policy allows these and no others (`src/server/web.ts`). */
export const inlinePrograms = (): string[] => [themeProgram, starter, scrollProgram()]

function startText(entry: EntryContext, { waits, words }: How): string {
  const ids = entry.staticHandlerContext.matches.map(({ route: { id } }) => id)
  const key = `${waits} ${words.join(' ')} ${ids.join(' ')}`
  const cached = startTexts.get(key)
  if (cached) return cached
  const manifest = manifestOfPage(entry)
  const modules = ids.map((id) => {
    const route = manifest.routes[id]
    if (!route) throw new Error(`The manifest has no route ${id}.`)
    const { clientActionModule, clientLoaderModule, clientMiddlewareModule, hydrateFallbackModule, module, imports = [] } = route
    const own = [clientActionModule, clientLoaderModule, clientMiddlewareModule, hydrateFallbackModule, module]
    return { id, own: own.filter((href) => href !== undefined), imports }
  })
  const parts = new Set([...manifest.entry.imports, ...modules.flatMap(({ own, imports }) => [...own, ...imports])])
  parts.delete(manifest.entry.module)
  const text = inScript(
    JSON.stringify({
      context: JSON.parse(entry.serverHandoffString ?? '{}') as unknown,
      manifest,
      modules: modules.map(({ id, own }) => [id, own]),
      parts: [...parts, ...words],
      waits,
    }),
  )
  startTexts.set(key, text)
  return text
}

async function textOf(stream: EntryContext['serverHandoffStream']): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream ?? []) text += decoder.decode(chunk, { stream: true })
  return text
}

/** Escapes "<", which could end the script. JSON contains it in strings only. */
const inScript = (json: string) => json.replaceAll('<', String.raw`\u003c`)

/** Renders `ScrollRestoration` to get its script, which the router does not export. */
function scrollProgram(): string {
  const html = renderToString(createElement(createRoutesStub([{ path: '/', Component: () => createElement(ScrollRestoration) }])))
  const [, program] = /^<script>(.*)<\/script>$/s.exec(html) ?? []
  if (!program) throw new Error('ScrollRestoration no longer renders one script')
  return program
}

/**
 * Starts the scripts of a page once it is painted, after two seconds at the latest, so they do not delay the paint. On a first visit (nothing is
 * stored yet) to a public page whose forms work without scripts, they wait for the first input of a person. Links and forms work before that; a
 * button that is pressed too early is pressed again later. The scripts are fetched together but run one after the other, so that a tap never
 * waits for all of them.
 *
 * `jitless` keeps zod from compiling code at run time, which the policy would report. A page that appears under a resting pointer receives a
 * move of zero pixels; such a move is no input.
 */
const starter = `(async () => {
const { context, manifest, modules, parts, waits } = JSON.parse(document.getElementById("start").textContent)
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
  for (const name of ["pointermove", "pointerdown", "touchstart", "keydown", "input", "wheel", "click"]) addEventListener(name, moved, { passive: true, capture: true })
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
const loaded = document.getElementById("loaded").textContent
const stream = new ReadableStream({
  start(controller) {
    controller.enqueue(loaded)
    controller.close()
  },
})
window.__reactRouterContext = { ...context, stream: stream.pipeThrough(new TextEncoderStream()) }
window.__reactRouterManifest = manifest
window.__reactRouterRouteModules = {}
for (const [id, hrefs] of modules)
  window.__reactRouterRouteModules[id] = Object.assign({}, ...(await Promise.all(hrefs.map((href) => import(href)))))
await import(manifest.entry.module)
})()`
