import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { strToU8, zip, type AsyncZippable } from 'fflate'
import { sql } from 'kysely'
import { toMoment } from '#shared/calendar.ts'
import { isOpened } from '#shared/demand/rules.ts'
import type { Download } from '#shared/endpoint.ts'
import type { MessageKind } from '#shared/message/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import { insertAudit } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import type { Storage } from '../outside/storage.ts'
import { compareQuotes } from '../quote/compare.ts'
import { quotesWorkbook } from '../quote/export.ts'
import { findLinks, findReceipts } from './chain.ts'
import { findItems, getOwnDemand } from '../demand/queries.ts'

const escape = (value: unknown) =>
  String(value ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

type Row = readonly (string | number | null | undefined)[]

const table = (head: readonly string[], rows: readonly Row[]) =>
  `<table><thead><tr>${head.map((cell) => `<th>${escape(cell)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td${typeof cell === 'number' ? ' class="num"' : ''}>${escape(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`

const facts = (rows: readonly (readonly [string, string | number | null | undefined])[]) =>
  `<dl>${rows
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([label, value]) => `<dt>${escape(label)}</dt><dd>${escape(value)}</dd>`)
    .join('')}</dl>`

const yuan = (fen: number) => new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(fen / 100)

const style = `body{font:15px/1.6 "PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;color:#1a2230;max-width:1100px;margin:32px auto;padding:0 20px}
h1{font-size:24px}h2{font-size:18px;margin-top:36px;border-bottom:1px solid #d8dee8;padding-bottom:6px}
table{border-collapse:collapse;width:100%;font-size:13px;margin:8px 0}th,td{border:1px solid #d8dee8;padding:5px 8px;text-align:left;vertical-align:top}
th{background:#f2f5fa}.num{text-align:right;font-variant-numeric:tabular-nums}dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px}
dt{color:#56627a}dd{margin:0}code{font-size:12px;word-break:break-all}.good{color:#0a7a3d}.bad{color:#b3261e;font-weight:bold}@media print{h2{break-after:avoid}tr{break-inside:avoid}}`

/** Runs in the opened page, without the platform: recomputes every link and every receipt. */
const checker = `(async()=>{
const hex=async t=>[...new Uint8Array(await crypto.subtle.digest('SHA-256',new TextEncoder().encode(t)))].map(b=>b.toString(16).padStart(2,'0')).join('');
const out=document.getElementById('verdict');const data=JSON.parse(document.getElementById('chain').textContent);
if(!(globalThis.crypto&&crypto.subtle)){out.textContent=out.dataset.unable;return}
let before='',bad=null;
for(const [i,l] of data.links.entries()){const p=JSON.parse(l.text);
if(l.seq!==i+1||p[0]!==l.seq||await hex(before+'\\n'+l.text)!==l.hash||(l.detail!==null&&await hex(l.detail)!==p[7])){bad=l.seq;break}before=l.hash}
for(const r of data.receipts)if(bad===null&&r.offer!==null&&(await hex(r.offer)!==r.sealHash))bad=r.quoteCode;
out.textContent=bad===null?out.dataset.good:out.dataset.bad+' '+bad;out.className=bad===null?'good':'bad'})()`

/**
 * Everything about an opened demand that an auditor asks for, to be read without the platform: a page, the offers as they
 * were sealed, the files, the chain. `manifest.sha256` is what `sha256sum -c` reads.
 */
export async function evidencePack(
  db: Read,
  { secret, storage }: { secret: string; storage: Storage },
  actor: Actor,
  id: number,
  text: Text,
  site: string,
  now: Date,
): Promise<Download> {
  const demand = await getOwnDemand(db, actor, id)
  if (!isOpened(demand.status)) throw new Refusal('quotes_sealed')
  const code = demand.demandCode ?? String(id)
  const items = await findItems(db, id)
  const compared = await compareQuotes(db, id, now)
  const chain = {
    demandId: id,
    demandCode: code,
    links: await findLinks(db, id, { details: true, quotes: true }),
    receipts: await findReceipts(db, secret, id, true, null),
  }
  const questions = await db.selectFrom('demandQuestion').where('demandId', '=', id).orderBy('id').selectAll().execute()
  const messages = await db
    .selectFrom('message')
    .where('bizType', '=', 'demand')
    .where('bizId', '=', String(id))
    .groupBy(['kind', 'createTime'])
    .orderBy('createTime')
    .select([
      'kind',
      'createTime',
      sql<Record<string, string>>`(array_agg(params order by id))[1]`.as('params'),
      (eb) => eb.fn.countAll<number>().as('people'),
    ])
    .execute()

  const files: Record<string, Uint8Array> = {}
  const attached: string[] = []
  for (const { fileId, name } of demand.attachments) {
    const content = await storage.get(fileId)
    const path = `attachments/${fileId.slice(0, 8)}-${name}`
    // A file that is missing from the storage is said to be, not left out in silence.
    attached.push(content ? path : `${path} (${text.admin.evidence.missing})`)
    if (content) files[path] = content
  }
  for (const { quoteCode, offer } of chain.receipts) if (offer !== null) files[`offers/${quoteCode}.json`] = strToU8(offer)
  files['chain.json'] = strToU8(JSON.stringify(chain, null, 1))
  files['comparison.xlsx'] = (await quotesWorkbook(db, { ...demand, items }, text, now)).content
  files['index.html'] = strToU8(page({ demand, items, compared, chain, questions, messages, attached, code }, text, site, now))
  const manifest = Object.keys(files)
    .toSorted()
    .map(
      (path) =>
        `${createHash('sha256')
          .update(files[path] ?? '')
          .digest('hex')}  ${path}\n`,
    )
    .join('')
  files['manifest.sha256'] = strToU8(manifest)
  const whole: AsyncZippable = Object.fromEntries(Object.entries(files).map(([path, content]) => [`${code}/${path}`, content]))
  const content = await promisify<AsyncZippable, Uint8Array>(zip)(whole)
  const after = { files: Object.keys(files).length, head: chain.links.at(-1)?.hash ?? '' }
  const owner = await db.selectFrom('demand').where('id', '=', id).select('companyId').executeTakeFirstOrThrow()
  await insertAudit(
    db,
    actor,
    { action: 'demand.evidence', bizType: 'demand', bizId: String(id), bizName: demand.title, companyId: owner.companyId, after },
    now,
  )
  return { name: text.admin.evidence.file(code), mime: 'application/zip', content }
}

type Parts = {
  demand: Awaited<ReturnType<typeof getOwnDemand>>
  items: Awaited<ReturnType<typeof findItems>>
  compared: Awaited<ReturnType<typeof compareQuotes>>
  chain: { links: Awaited<ReturnType<typeof findLinks>>; receipts: Awaited<ReturnType<typeof findReceipts>> }
  questions: { content: string; askTime: string; answer: string; answerTime: string | null }[]
  messages: { kind: string; createTime: string; params: Record<string, string>; people: number }[]
  attached: readonly string[]
  code: string
}

function page({ demand, items, compared, chain, questions, messages, attached, code }: Parts, text: Text, site: string, now: Date): string {
  const words = text.admin.evidence
  const zh = text.locale === 'zh-CN'
  const lineNo = new Map(items.map((item) => [item.id, item.lineNo]))
  const itemName = (item: { categoryName: string; categoryNameEn: string }) => (zh ? item.categoryName : item.categoryNameEn)
  const section = (title: string, body: string) => `<h2>${escape(title)}</h2>${body}`
  const empty = `<p>${escape(words.none)}</p>`
  const offers = compared.quotes.flatMap((quote) =>
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
  const { award } = compared
  const chosen = new Map(compared.quotes.flatMap((quote) => quote.lines.map((line) => [line.id, quote.quoteCode] as const)))
  const body = [
    `<h1>${escape(words.title)}: ${escape(demand.title)}</h1>`,
    `<p>${escape(words.made(site, toMoment(now)))}</p>`,
    `<p><strong>${escape(words.check)}</strong> <span id="verdict" data-good="${escape(words.good(chain.links.length))}" data-bad="${escape(words.bad)}" data-unable="${escape(words.unable)}"></span><br><code>sha256sum -c manifest.sha256</code></p>`,
    section(
      words.demand,
      facts([
        [text.demand.code, code],
        [text.site.common.status, text.demand.status[demand.status]],
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
      ]) +
        table(
          ['#', text.demand.lines, text.demand.qty, text.demand.period, text.demand.unit],
          items.map((item) => [
            item.lineNo,
            itemName(item),
            item.qty,
            `${item.planStart} – ${item.planEnd}`,
            text.equipment.unit[item.rentUnit],
          ]),
        ),
    ),
    section(
      words.internal,
      demand.internalCheck.length === 0
        ? empty
        : table(
            words.internalHead,
            demand.internalCheck.map((machine) => [
              machine.name,
              machine.deptName,
              machine.take ? text.site.common.yes : text.site.common.no,
              machine.reason,
            ]),
          ),
    ),
    section(
      words.questions,
      questions.length === 0
        ? empty
        : table(
            words.questionHead,
            questions.map((one) => [one.askTime, one.content, one.answer, one.answerTime]),
          ),
    ),
    section(words.quotes, offers.length === 0 ? empty : table(words.quoteHead, offers)),
    section(
      words.award,
      award
        ? `<p>${escape(words.awardedBy(award.who, award.at, yuan(award.net)))}</p>` +
            table(
              words.awardHead,
              award.lines.map((line) => [
                lineNo.get(line.demandItemId),
                line.companyName,
                chosen.get(line.quoteLineId),
                line.qty,
                yuan(line.net),
                line.reason,
              ]),
            )
        : empty,
    ),
    section(
      words.events,
      table(
        words.eventHead,
        demand.events.map((event, index) => [
          chain.links[index]?.seq,
          event.at,
          text.demand.move[event.move] ?? event.move,
          event.who === '-' ? text.demand.own.who.outside : event.who || text.demand.own.who.clock,
          event.note,
        ]),
      ),
    ),
    section(
      words.messages,
      table(
        words.messageHead,
        messages.map((message) => [message.createTime, text.messages[message.kind as MessageKind].title(message.params), message.people]),
      ),
    ),
    section(words.attachments, attached.length === 0 ? empty : `<ul>${attached.map((path) => `<li>${escape(path)}</li>`).join('')}</ul>`),
    section(
      words.chain,
      table(
        words.chainHead,
        chain.links.map((link) => [link.seq, link.at, text.demand.move[link.move] ?? link.move, link.hash]),
      ),
    ),
  ].join('\n')
  // No script may end here early, whatever a note says.
  const json = JSON.stringify(chain).replaceAll('<', String.raw`\u003c`)
  return `<!doctype html>
<html lang="${text.locale}"><head><meta charset="utf-8"><title>${escape(code)} ${escape(words.title)}</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
${body}
<script type="application/json" id="chain">${json}</script>
<script>${checker}</script>
</body></html>
`
}
