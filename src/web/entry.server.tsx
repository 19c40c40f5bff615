// oxlint-disable-next-line no-restricted-imports -- this file runs on the server only
import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import { RouterContextProvider, ServerRouter, type EntryContext } from 'react-router'
import { needsLogin } from '#shared/account/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from './text.tsx'
import { visitKey, type Visit } from './visit.ts'

/**
 * The scripts of a page begin after it was painted (two seconds at the latest), so that they do not compete with what is seen; on a first
 * visit (nothing is stored yet) to a page for everybody whose forms work without them, with the first sign of a person (decision 0020). Links and forms
 * work before; a button pressed before is pressed again when it works. The scripts are fetched together but run one after the other, so
 * that none keeps a tap waiting. The text of the entry script stays as it is: its hash is what the policy allows.
 */
function afterPaint(html: string, waits: boolean): string {
  const entry = /<script type="module" async="">([\s\S]*?)<\/script>/.exec(html)
  if (!entry) return html
  const modules = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"[^>]*>/g)].map(([, href]) => href ?? '')
  const parts = modules.filter((href) => !/\/(entry\.client|manifest)-/.test(href))
  return html
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(
      entry[0],
      () => `<script type="text/plain" id="entry">${entry[1]}</script><script>(${starter})(${JSON.stringify(parts)}, ${waits})</script>`,
    )
}

// zod is told before it is loaded not to try making code at run time: the policy forbids that and would report it.
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
// A page that appears under a pointer that rests is told of a move by nothing.
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

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { locale } = context.get(visitKey)
  let failed = status
  const html = await new Promise<string>((done, fail) => {
    const chunks: Buffer[] = []
    const { pipe } = renderToPipeableStream(
      <LanguageProvider initial={locale === 'en-US' ? en : zhCn}>
        <ServerRouter context={routerContext} url={request.url} />
      </LanguageProvider>,
      {
        // Written out whole: no page here waits for anything slow, and robots get what people get.
        onAllReady: () =>
          pipe(
            new Writable({
              write: (chunk: Buffer, _, next) => {
                chunks.push(chunk)
                next()
              },
              final: (next) => {
                done(Buffer.concat(chunks).toString())
                next()
              },
            }),
          ),
        onShellError: fail,
        onError: () => {
          failed = 500
        },
      },
    )
  })
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(afterPaint(html, !needsLogin(new URL(request.url).pathname)), { status: failed, headers })
}
