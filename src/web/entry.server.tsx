import { renderToString } from 'react-dom/server'
import { RouterContextProvider, ServerRouter, type EntryContext } from 'react-router'
import { needsLogin } from '#shared/account/rules.ts'
import { en } from '#shared/text/en.ts'
import { withoutPrivateWords } from '#shared/text/private-words.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { documentScripts, inlinePrograms, manifestOfPage } from './app/document.ts'
import { DocumentContext } from './app/document-context.tsx'
import { LanguageProvider } from './app/text.tsx'
import { visitKey, type Visit } from './app/visit.ts'
import publicPagesCss from './public-pages.css?inline'
import { tokensCss } from './ui/tokens.ts'

/** Read from the build by the server, which makes the content security policy of all pages from it. */
export const programsOfPages = inlinePrograms()

/** What public pages are rendered with; of the private areas the server renders the frame alone. */
const publicWords = { 'zh-CN': withoutPrivateWords(zhCn), 'en-US': withoutPrivateWords(en) }

/** Half of a page is its style, which is the same in all: it joins the others as bytes, so it is neither escaped nor encoded again for each. */
const style = Buffer.from(tokensCss + publicPagesCss)
/** Stands for the style in the rendered text. Nobody can write it anywhere else, because no two processes have the same. */
const styleMark = crypto.randomUUID()

/** Called by the server through the build, because the key of the context must exist once. */
export function visitContext(visit: Visit): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(visitKey, visit)
  return context
}

/** Renders at once: no public page waits for slow data, and robots get the same page as people. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const visit = context.get(visitKey)
  const scripts = await documentScripts(entry, { waits: !needsLogin(new URL(request.url).pathname), words: visit.words })
  const { serverHandoffStream: _, ...rest } = entry
  const html = renderToString(
    <LanguageProvider initial={publicWords[visit.locale]}>
      <DocumentContext value={{ style: styleMark, scripts }}>
        <ServerRouter context={{ ...rest, manifest: manifestOfPage(entry) }} url={request.url} />
      </DocumentContext>
    </LanguageProvider>,
  )
  const at = html.indexOf(styleMark)
  visit.html = Buffer.concat([Buffer.from(`<!DOCTYPE html>${html.slice(0, at)}`), style, Buffer.from(html.slice(at + styleMark.length))])
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(null, { status, headers })
}
