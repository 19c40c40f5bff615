import { renderToString } from 'react-dom/server'
import { RouterContextProvider, ServerRouter, type EntryContext } from 'react-router'
import { needsLogin } from '#shared/account/rules.ts'
import { en } from '#shared/text/en.ts'
import { withoutPrivateWords } from '#shared/text/private-words.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { documentScripts, inlinePrograms, manifestOfPage } from './app/document.ts'
import { DocumentContext } from './app/handover.tsx'
import { LanguageProvider } from './app/text.tsx'
import { visitKey, type Visit } from './app/visit.ts'
import baseCss from './ui/base.css?inline'
import controlsCss from './ui/controls.css?inline'
import shellCss from './app/shell.css?inline'
import toastCss from './ui/toast.css?inline'
import dialogCss from './ui/dialog.css?inline'
import partsCss from './ui/parts.css?inline'
import machineDrawingCss from './equipment/machine-drawing.css?inline'
import tableCss from './ui/table.css?inline'
import favouritesCss from './favourite/favourites.css?inline'
import compareBasketCss from './equipment/compare-basket.css?inline'
import demandCardCss from './demand/demand-card.css?inline'
import homePageCss from './public/home-page.css?inline'
import cardsCss from './public/cards.css?inline'
import filterFormCss from './app/filter-form.css?inline'
import detailCss from './public/detail.css?inline'
import narrowCss from './public/narrow.css?inline'
import siteSearchCss from './public/site-search.css?inline'
import listsCss from './public/lists.css?inline'
import photosCss from './public/photos.css?inline'
import singleCss from './ui/single.css?inline'
import { tokensCss } from './ui/tokens.ts'

/** The styles in the head of every page. Their order matters: a later rule wins over an earlier one of the same weight. */
const style = [
  tokensCss,
  baseCss,
  controlsCss,
  shellCss,
  toastCss,
  dialogCss,
  partsCss,
  machineDrawingCss,
  tableCss,
  favouritesCss,
  compareBasketCss,
  demandCardCss,
  homePageCss,
  cardsCss,
  filterFormCss,
  detailCss,
  narrowCss,
  siteSearchCss,
  listsCss,
  photosCss,
  singleCss,
].join('')

/** Read from the build by the server, which makes the content security policy of all pages from it. */
export const programsOfPages = inlinePrograms()

/** What public pages are rendered with; of the private areas the server renders the frame alone. */
const publicWords = { 'zh-CN': withoutPrivateWords(zhCn), 'en-US': withoutPrivateWords(en) }

/** Called by the server through the build, because the key of the context must exist once. */
export function visitContext(visit: Visit): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(visitKey, visit)
  return context
}

/** Renders to one string: no public page waits for slow data, and robots get the same page as people. */
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
      <DocumentContext value={{ style, scripts }}>
        <ServerRouter context={{ ...rest, manifest: manifestOfPage(entry) }} url={request.url} />
      </DocumentContext>
    </LanguageProvider>,
  )
  visit.html = `<!DOCTYPE html>${html}`
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(null, { status, headers })
}
