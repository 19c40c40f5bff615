import { renderToReadableStream } from 'react-dom/server.edge'
import { RouterContextProvider, ServerRouter, type EntryContext } from 'react-router'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from './text.tsx'
import { visitKey, type Visit } from './visit.ts'

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
  const stream = await renderToReadableStream(
    <LanguageProvider initial={locale === 'en-US' ? en : zhCn}>
      <ServerRouter context={routerContext} url={request.url} />
    </LanguageProvider>,
    {
      onError: () => {
        failed = 500
      },
    },
  )
  // Written out whole: no page here waits for anything slow, and robots get what people get.
  await stream.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(stream, { status: failed, headers })
}
