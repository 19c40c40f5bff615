import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createStaticHandler, Scripts, ScrollRestoration, ServerRouter, type EntryContext } from 'react-router'
import { HydratedRouter } from 'react-router/dom'
import { afterEach, expect, test, vi } from 'vitest'
import { documentScripts, inlinePrograms } from './document.ts'
import { DocumentContext, DocumentScripts, ThemeProgram } from './document-context.tsx'

afterEach(() => vi.unstubAllGlobals())

const url = 'https://market.example/list'
const entryRoute = (id: string, parentId?: string) => ({
  id,
  parentId,
  path: id === 'root' ? '' : id,
  module: `/assets/${id}.js`,
  imports: ['/assets/site.js', `/assets/${id}-part.js`],
  css: [],
  hasAction: false,
  hasLoader: true,
  hasClientAction: false,
  hasClientLoader: false,
  hasClientMiddleware: false,
  hasErrorBoundary: false,
  clientActionModule: undefined,
  clientLoaderModule: undefined,
  clientMiddlewareModule: undefined,
  hydrateFallbackModule: undefined,
})
const manifest = {
  entry: { module: '/assets/entry.client.js', imports: ['/assets/react.js', '/assets/site.js'] },
  routes: {
    root: entryRoute('root'),
    list: entryRoute('list', 'root'),
    other: entryRoute('other', 'root'),
    start: { ...entryRoute('start', 'other'), path: undefined, index: true },
    frame: { ...entryRoute('frame', 'root'), path: undefined },
    home: { ...entryRoute('home', 'frame'), path: undefined, index: true },
  },
  url: '/assets/manifest.js',
  version: '1',
}
const { root, list, frame, home } = manifest.routes
/** Of the page of the list. */
const known = { ...manifest, routes: { root, list, frame, home } }
const handed = {
  ssr: true,
  isSpaMode: false,
  basename: '/',
  future: {},
  routeDiscovery: { mode: 'lazy', manifestPath: '/__manifest' },
} as const
const loaded = '[{"_1":2},"loaderData",{"_3":4},"root","</script><b>"]\n'

/** What the router's server gives to entry.server.tsx for a page of two routes, with `Root` as its document. */
async function entryOf(Root: () => React.ReactNode): Promise<EntryContext> {
  const matched = createStaticHandler([
    {
      id: 'root',
      path: '/',
      children: [
        { id: 'list', path: 'list' },
        { id: 'frame', children: [{ id: 'home', index: true }] },
      ],
    },
  ])
  const staticHandlerContext = await matched.query(new Request(url))
  if (staticHandlerContext instanceof Response) throw new Error('no page')
  staticHandlerContext.loaderData = { root: 'root', list: 'list' }
  return {
    ...handed,
    manifest,
    routeModules: Object.fromEntries(Object.keys(manifest.routes).map((id) => [id, { default: id === 'root' ? Root : () => null }])),
    staticHandlerContext,
    serverHandoffString: JSON.stringify(handed),
    serverHandoffStream: new Blob([loaded]).stream(),
    renderMeta: {},
    serializeError: (error: Error) => error,
  } as unknown as EntryContext
}
const htmlOf = ({ serverHandoffStream: _, ...entry }: EntryContext) =>
  renderToStaticMarkup(createElement(ServerRouter, { context: entry, url }))

test('the scripts that the router itself would write are those that this site hands over in its own way', async () => {
  const html = htmlOf(await entryOf(() => createElement(Scripts)))
  const scripts = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text]) => text)
  expect(scripts).toEqual([
    `window.__reactRouterContext = ${JSON.stringify(handed)};window.__reactRouterContext.stream = new ReadableStream({start(controller){window.__reactRouterContext.streamController = controller;}}).pipeThrough(new TextEncoderStream());`,
    `;
import * as route0 from "/assets/root.js";
import * as route1 from "/assets/list.js";
  window.__reactRouterManifest = ${JSON.stringify(known, null, 2)};
  window.__reactRouterRouteModules = {"root":route0,"list":route1};

import("/assets/entry.client.js");`,
  ])
  const preloads = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, href]) => href)
  expect(preloads).toEqual([manifest.entry.module, ...(await startOf()).parts])
})

type Start = { context: unknown; manifest: unknown; modules: unknown; parts: string[]; waits: boolean }
const how = { waits: true, words: [] }
const startOf = async (words: readonly string[] = []) => {
  const [start] = await documentScripts(await entryOf(() => null), { waits: true, words })
  return JSON.parse(start?.text ?? '') as Start
}

test('the document carries the matching routes with their modules, the files of its words, and the loaded data as data', async () => {
  expect(await startOf()).toEqual({
    context: handed,
    manifest: JSON.parse(JSON.stringify(known)),
    modules: [
      ['root', ['/assets/root.js']],
      ['list', ['/assets/list.js']],
    ],
    parts: ['/assets/react.js', '/assets/site.js', '/assets/root.js', '/assets/root-part.js', '/assets/list.js', '/assets/list-part.js'],
    waits: true,
  })
  expect((await startOf(['/assets/words.js'])).parts.slice(-2)).toEqual(['/assets/list-part.js', '/assets/words.js'])
  const [, data] = await documentScripts(await entryOf(() => null), how)
  expect(data?.text).not.toContain('<')
  expect(JSON.parse(data?.text ?? '')).toEqual(JSON.parse(loaded))
})

test('only the programs that the policy allows stand in a page; everything else is data', async () => {
  const entry = await entryOf(() =>
    createElement(Fragment, null, createElement(ThemeProgram), createElement(ScrollRestoration), createElement(DocumentScripts)),
  )
  const scripts = await documentScripts(entry, { waits: false, words: [] })
  const { serverHandoffStream: _, ...rest } = entry
  const page = renderToStaticMarkup(
    createElement(DocumentContext, { value: { style: '', scripts } }, createElement(ServerRouter, { context: rest, url })),
  )
  const programs = [...page.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)].filter(([, type]) => !type?.includes('application/json'))
  expect(programs.map(([, , text]) => text).toSorted()).toEqual(inlinePrograms().toSorted())
})

test('the router in the browser takes over the three names, and the stream', async () => {
  const { context } = await startOf()
  const browser = { __reactRouterContext: { ...(context as object), stream: new Blob([loaded]).stream() } as { stream?: unknown } }
  vi.stubGlobal('window', browser)
  expect(() => renderToStaticMarkup(createElement(HydratedRouter))).toThrow('You must be using the SSR features of React Router')
  vi.stubGlobal('window', Object.assign(browser, { __reactRouterManifest: manifest, __reactRouterRouteModules: {} }))
  expect(() => renderToStaticMarkup(createElement(HydratedRouter))).not.toThrow('You must be using the SSR features of React Router')
  expect(browser.__reactRouterContext.stream).toBeUndefined()
})
