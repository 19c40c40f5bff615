import { randomUUID } from 'node:crypto'
import { createElement as h, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

type PackPage = {
  lang: string
  title: string
  head: readonly ReactNode[]
  /** The label in front of the verdict. */
  check: string
  /** The words that the script chooses from, as the data attributes of the verdict. */
  verdict: Readonly<Record<string, string>>
  body: readonly ReactNode[]
  /** What the script checks. */
  data: object
  /** Runs in the opened page, without the platform. */
  script: string
}

/** Renders the page of an evidence pack in parts; `parts` are the JSON of its data, which may be too long to have at once. */
export async function* packPageParts(page: Omit<PackPage, 'data'>, parts: AsyncIterable<string>): AsyncGenerator<string> {
  const mark = randomUUID()
  const [head = '', tail = ''] = packPage({ ...page, data: [mark] }).split(JSON.stringify([mark]))
  yield head
  for await (const part of parts) yield part.replaceAll('<', String.raw`\u003c`)
  yield tail
}

/** Renders the page of an evidence pack. By `createElement`: the server runs TypeScript by stripping types, which leaves JSX in. */
export function packPage({ lang, title, head, check, verdict, body, data, script }: PackPage): string {
  const words = Object.fromEntries(Object.entries(verdict).map(([key, value]) => [`data-${key}`, value]))
  const document = h(
    'html',
    { lang },
    h(
      'head',
      null,
      h('meta', { charSet: 'utf-8' }),
      h('title', null, title),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('style', raw(style)),
    ),
    h(
      'body',
      null,
      ...head,
      h(
        'p',
        null,
        h('strong', null, check),
        ' ',
        h('span', { id: 'verdict', ...words }),
        h('br'),
        h('code', null, 'sha256sum -c manifest.sha256'),
      ),
      ...body,
      // No text of a person may end the script here.
      h('script', { type: 'application/json', id: 'chain', ...raw(JSON.stringify(data).replaceAll('<', String.raw`\u003c`)) }),
      h('script', raw(script)),
    ),
  )
  return `<!doctype html>\n${renderToStaticMarkup(document)}\n`
}

export type Row = readonly (string | number | null | undefined)[]

export const section = (title: string, ...body: ReactNode[]) => h(Fragment, null, h('h2', null, title), ...body)

export const table = (head: readonly string[], rows: readonly Row[]) =>
  h(
    'table',
    null,
    h('thead', null, h('tr', null, ...head.map((cell) => h('th', null, cell)))),
    h(
      'tbody',
      null,
      ...rows.map((row) => h('tr', null, ...row.map((cell) => h('td', typeof cell === 'number' ? { className: 'num' } : null, cell)))),
    ),
  )

export const tableOrNone = (none: string, head: readonly string[], rows: readonly Row[]) =>
  rows.length === 0 ? h('p', null, none) : table(head, rows)

export const facts = (rows: readonly (readonly [string, string | number | null | undefined])[]) =>
  h(
    'dl',
    null,
    ...rows
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([label, value]) => h(Fragment, null, h('dt', null, label), h('dd', null, value))),
  )

/** Content that is not text of a person: a style or a script. */
const raw = (content: string) => ({ dangerouslySetInnerHTML: { __html: content } })

const style = `body{font:15px/1.6 "PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;color:#1a2230;max-width:1100px;margin:32px auto;padding:0 20px}
h1{font-size:24px}h2{font-size:18px;margin-top:36px;border-bottom:1px solid #d8dee8;padding-bottom:6px}
table{border-collapse:collapse;width:100%;font-size:13px;margin:8px 0}th,td{border:1px solid #d8dee8;padding:5px 8px;text-align:left;vertical-align:top}
th{background:#f2f5fa}.num{text-align:right;font-variant-numeric:tabular-nums}dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px}
dt{color:#56627a}dd{margin:0;overflow-wrap:anywhere}code{font-size:12px;word-break:break-all}.good{color:#0a7a3d}.bad{color:#b3261e;font-weight:bold}@media screen and (max-width:700px){dl{grid-template-columns:minmax(0,1fr);gap:0}dt{margin-top:8px}table{display:block;overflow-x:auto}td:not(.num){min-width:6em}}
@media print{h2{break-after:avoid}tr{break-inside:avoid}}`
