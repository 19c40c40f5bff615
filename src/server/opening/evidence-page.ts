import { createElement as h, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { toMoment } from '#shared/calendar.ts'
import type { MessageKind } from '#shared/message/rules.ts'
import { brokenLink, receiptFits, type ChainLink, type ChainReceipt } from '#shared/opening/chain.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { findItems, getOwnDemand } from '../demand/queries.ts'
import type { compareQuotes } from '../quote/compare.ts'

export type Evidence = {
  demand: Awaited<ReturnType<typeof getOwnDemand>>
  items: Awaited<ReturnType<typeof findItems>>
  compared: Awaited<ReturnType<typeof compareQuotes>>
  chain: { links: ChainLink[]; receipts: ChainReceipt[] }
  questions: { content: string; askTime: string; answer: string; answerTime: string | null }[]
  messages: { kind: string; createTime: string; params: Record<string, string>; people: number }[]
  attached: readonly string[]
  code: string
}

/** Renders the readable page of the evidence pack. By `createElement`: the server runs TypeScript by stripping types, which leaves JSX in. */
export function evidencePage(evidence: Evidence, { text, site, now }: { text: Text; site: string; now: Date }): string {
  const { demand, chain, code } = evidence
  const words = text.admin.evidence
  const document = h(
    'html',
    { lang: text.locale },
    h(
      'head',
      null,
      h('meta', { charSet: 'utf-8' }),
      h('title', null, `${code} ${words.title}`),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('style', raw(style)),
    ),
    h(
      'body',
      null,
      h('h1', null, `${words.title}: ${demand.title}`),
      h('p', null, words.made(site, toMoment(now))),
      h(
        'p',
        null,
        h('strong', null, words.check),
        ' ',
        h('span', { id: 'verdict', 'data-good': words.good(chain.links.length), 'data-bad': words.bad, 'data-unable': words.unable }),
        h('br'),
        h('code', null, 'sha256sum -c manifest.sha256'),
      ),
      ...demandSections(evidence, text),
      ...offerSections(evidence, text),
      ...recordSections(evidence, text),
      // No text of a person may end the script here.
      h('script', { type: 'application/json', id: 'chain', ...raw(JSON.stringify(chain).replaceAll('<', String.raw`\u003c`)) }),
      h('script', raw(`(${showVerdict.toString()})(${brokenLink.toString()}, ${receiptFits.toString()})`)),
    ),
  )
  return `<!doctype html>\n${renderToStaticMarkup(document)}\n`
}

/** The demand with its lines, the idle machines of the group, and the questions of lessors. */
function demandSections({ demand, items, questions, code }: Evidence, text: Text): ReactNode[] {
  const words = text.admin.evidence
  const { yes, no, status } = text.site.common
  return [
    section(
      words.demand,
      facts([
        [text.demand.code, code],
        [status, text.demand.status[demand.status]],
        [text.demand.typeLabel, text.demand.type[demand.demandType]],
        [text.demand.methodLabel, text.demand.method[demand.method]],
        [words.company, demand.companyName],
        [text.demand.project, demand.projectName],
        [text.demand.place, `${demand.regionName} ${demand.address}`],
        [text.demand.publishedAt, demand.publishTime],
        [text.demand.deadline, demand.quoteDeadline],
        [words.openTime, demand.openTime],
        [words.revision, demand.revision],
        [text.demand.minQuotes, demand.minQuotes],
        [text.demand.terms, demand.terms],
      ]),
      table(
        ['#', text.demand.lines, text.demand.qty, text.demand.period, text.demand.unit],
        items.map((item) => [
          item.lineNo,
          text.locale === 'zh-CN' ? item.categoryName : item.categoryNameEn,
          item.qty,
          `${item.planStart} – ${item.planEnd}`,
          text.equipment.unit[item.rentUnit],
        ]),
      ),
    ),
    section(
      words.internal,
      tableOrNone(
        text,
        words.internalHead,
        demand.internalCheck.map(({ name, deptName, take, reason }) => [name, deptName, take ? yes : no, reason]),
      ),
    ),
    section(
      words.questions,
      tableOrNone(
        text,
        words.questionHead,
        questions.map((one) => [one.askTime, one.content, one.answer, one.answerTime]),
      ),
    ),
  ]
}

/** Every quote with its landed cost, and the award. */
function offerSections({ items, compared: { quotes, award } }: Evidence, text: Text): ReactNode[] {
  const words = text.admin.evidence
  const lineNo = new Map(items.map((item) => [item.id, item.lineNo]))
  const quoteCodes = new Map(quotes.flatMap((quote) => quote.lines.map((line) => [line.id, quote.quoteCode] as const)))
  const offers = quotes.flatMap((quote) =>
    quote.lines.map((line): Row => [
      quote.companyName,
      quote.quoteCode,
      lineNo.get(line.demandItemId),
      line.machines.map(({ name, qty }) => (qty > 1 ? `${name} ×${qty}` : name)).join('; '),
      line.qty,
      `${yuan(line.unitPriceFen)} / ${text.equipment.unit[line.rentUnit]}`,
      yuan(line.entryFeeFen + line.exitFeeFen + line.erectionFeeFen + line.inspectionFeeFen + line.otherFeeFen),
      `${line.taxRate}%`,
      yuan(line.grossCost),
      yuan(line.netCost),
      [line.overCeiling ? words.overCeiling : '', line.ceilingReason, line.deviation].filter(Boolean).join('; '),
    ]),
  )
  const awarded = award && [
    h('p', null, words.awardedBy(award.who, award.at, yuan(award.net))),
    table(
      words.awardHead,
      award.lines.map((line) => [
        lineNo.get(line.demandItemId),
        line.companyName,
        quoteCodes.get(line.quoteLineId),
        line.qty,
        yuan(line.net),
        line.reason,
      ]),
    ),
  ]
  return [
    section(words.quotes, tableOrNone(text, words.quoteHead, offers)),
    section(words.award, ...(awarded ?? [h('p', null, words.none)])),
  ]
}

/** The events, notices, files and links. */
function recordSections({ demand, chain, messages, attached }: Evidence, text: Text): ReactNode[] {
  const words = text.admin.evidence
  const { move: moveNames, own } = text.demand
  return [
    section(
      words.events,
      table(
        words.eventHead,
        demand.events.map((event, index) => [
          chain.links[index]?.seq,
          event.at,
          moveNames[event.move] ?? event.move,
          event.who === '-' ? own.who.outside : event.who || own.who.clock,
          event.note,
        ]),
      ),
    ),
    section(
      words.messages,
      table(
        words.messageHead,
        messages.map(({ kind, createTime, params, people }) => [createTime, text.messages[kind as MessageKind].title(params), people]),
      ),
    ),
    section(
      words.attachments,
      attached.length === 0 ? h('p', null, words.none) : h('ul', null, ...attached.map((path) => h('li', null, path))),
    ),
    section(
      words.chain,
      table(
        words.chainHead,
        chain.links.map((link) => [link.seq, link.at, moveNames[link.move] ?? link.move, link.hash]),
      ),
    ),
  ]
}

/**
 * Recomputes every link and every receipt in the opened page, without the platform. Its text is shipped, so it uses nothing from outside:
 * the rules of the product come as arguments.
 */
async function showVerdict(findBroken: typeof brokenLink, fits: typeof receiptFits): Promise<void> {
  const verdict = document.querySelector<HTMLElement>('#verdict')
  const source = document.querySelector('#chain')?.textContent
  if (!verdict || !source) return
  const { links, receipts } = JSON.parse(source) as Evidence['chain']
  const { good = '', bad = '', unable = '' } = verdict.dataset
  if (!globalThis.crypto?.subtle) {
    verdict.textContent = unable
    return
  }
  const sha256 = async (text: string) => {
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  let wrong: string | number | null = await findBroken(links, sha256)
  for (const receipt of receipts) if (wrong === null && !(await fits(receipt, links, sha256))) wrong = receipt.quoteCode
  verdict.textContent = wrong === null ? good : `${bad} ${wrong}`
  verdict.className = wrong === null ? 'good' : 'bad'
}

type Row = readonly (string | number | null | undefined)[]

const section = (title: string, ...body: ReactNode[]) => h(Fragment, null, h('h2', null, title), ...body)

const table = (head: readonly string[], rows: readonly Row[]) =>
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

const tableOrNone = (text: Text, head: readonly string[], rows: readonly Row[]) =>
  rows.length === 0 ? h('p', null, text.admin.evidence.none) : table(head, rows)

const facts = (rows: readonly (readonly [string, string | number | null | undefined])[]) =>
  h(
    'dl',
    null,
    ...rows
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([label, value]) => h(Fragment, null, h('dt', null, label), h('dd', null, value))),
  )

/** Content that is not text of a person: a style or a script. */
const raw = (content: string) => ({ dangerouslySetInnerHTML: { __html: content } })

const yuan = (fen: number) => new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(fen / 100)

const style = `body{font:15px/1.6 "PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;color:#1a2230;max-width:1100px;margin:32px auto;padding:0 20px}
h1{font-size:24px}h2{font-size:18px;margin-top:36px;border-bottom:1px solid #d8dee8;padding-bottom:6px}
table{border-collapse:collapse;width:100%;font-size:13px;margin:8px 0}th,td{border:1px solid #d8dee8;padding:5px 8px;text-align:left;vertical-align:top}
th{background:#f2f5fa}.num{text-align:right;font-variant-numeric:tabular-nums}dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px}
dt{color:#56627a}dd{margin:0}code{font-size:12px;word-break:break-all}.good{color:#0a7a3d}.bad{color:#b3261e;font-weight:bold}@media print{h2{break-after:avoid}tr{break-inside:avoid}}`
