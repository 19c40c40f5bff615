import { renderToString } from 'react-dom/server'
import { RouterContextProvider, ServerRouter, type EntryContext } from 'react-router'
import { needsLogin } from '#shared/account/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { documentScripts, inlinePrograms, manifestOfPage } from './app/document.ts'
import { DocumentContext } from './app/handover.tsx'
import { LanguageProvider } from './app/text.tsx'
import { visitKey, type Visit } from './app/visit.ts'
import publicCss from './public/public.css?inline'
import uiCss from './ui/ui.css?inline'
import { tokensCss } from './ui/tokens.ts'

const style = tokensCss + uiCss + publicCss

/** Called through the build by the server, which makes the policy of all pages from it. */
export const programsOfPages = inlinePrograms()

/** Called through the build by the server, so that the key of the context exists once. */
export function visitContext(visit: Visit): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(visitKey, visit)
  return context
}

/** Renders to one string: no page here waits for anything slow, and robots get what people get. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const visit = context.get(visitKey)
  const scripts = await documentScripts(entry, !needsLogin(new URL(request.url).pathname))
  const { serverHandoffStream: _, ...rest } = entry
  const html = renderToString(
    <LanguageProvider initial={visit.locale === 'en-US' ? en : zhCn}>
      <DocumentContext value={{ style, scripts }}>
        <ServerRouter context={{ ...rest, manifest: manifestOfPage(entry) }} url={request.url} />
      </DocumentContext>
    </LanguageProvider>,
  )
  visit.html = `<!DOCTYPE html>${html}`
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(null, { status, headers })
}
