import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { strToU8, zip, type AsyncZippable } from 'fflate'
import { sql } from 'kysely'
import { isOpened } from '#shared/demand/rules.ts'
import type { Download } from '#shared/endpoint.ts'
import { insertAudit } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { transact, type Context } from '../deed.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { Semaphore } from '../http/semaphore.ts'
import { compareQuotes } from '../quote/compare.ts'
import { quotesWorkbook } from '../quote/export.ts'
import { findLinks, findReceipts } from './chain.ts'
import { findItems, getOwnDemand } from '../demand/queries.ts'
import { evidencePage } from './evidence-page.ts'

/** A demand may have 200 MB of attachments, which are in memory while they are packed. */
const packing = new Semaphore({ total: 1, waiting: 8 })

export const evidencePack = (context: Context, id: number): Promise<Download> => packing.run(1, () => pack(context, id))

/**
 * Packs everything about an opened demand that an auditor needs to check it without the platform: a page, the offers as they were sealed, the
 * files, the chain. `manifest.sha256` is what `sha256sum -c` reads.
 */
async function pack(context: Context, id: number): Promise<Download> {
  const { db, secret, storage, actor, now } = context
  const text = textOf(context.locale)
  const demand = await getOwnDemand(db, actor, id)
  if (!isOpened(demand)) throw new Refusal('quotes_sealed')
  const code = demand.demandCode ?? String(id)
  const items = await findItems(db, id)
  const compared = await compareQuotes(db, id, now)
  const chain = {
    demandId: id,
    demandCode: code,
    links: await findLinks(db, id, { details: true, quotes: true, sealed: false }),
    receipts: await findReceipts({ db, secret }, id, { opened: true, companyId: null }),
  }
  const questions = await findQuestionsAsAsked(db, id)
  const messages = await findMessagesAbout(db, id)
  const files: Record<string, Uint8Array> = {}
  const attached: string[] = []
  for (const { fileId, name } of demand.attachments) {
    const content = await storage.get(fileId)
    const path = `attachments/${fileId.slice(0, 8)}-${name}`
    // The page names a file that is missing from the storage, so nobody takes the pack for complete.
    attached.push(content ? path : `${path} (${text.admin.evidence.missing})`)
    if (content) files[path] = content
  }
  for (const { quoteCode, offer } of chain.receipts) if (offer !== null) files[`offers/${quoteCode}.json`] = strToU8(offer)
  files['chain.json'] = strToU8(JSON.stringify(chain, null, 1))
  files['comparison.xlsx'] = (await quotesWorkbook(db, { ...demand, items }, { text, now })).content
  files['index.html'] = strToU8(
    evidencePage({ demand, items, compared, chain, questions, messages, attached, code }, { text, site: context.config.site.name, now }),
  )
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
  // Attachments are packed by their own formats already.
  const levelOf = (path: string) => (path.startsWith('attachments/') ? 0 : 6)
  const whole: AsyncZippable = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`${code}/${path}`, [content, { level: levelOf(path) }]]),
  )
  const content = await promisify<AsyncZippable, Uint8Array>(zip)(whole)
  const after = { files: Object.keys(files).length, head: chain.links.at(-1)?.hash ?? '' }
  const owner = await db.selectFrom('demand').where('id', '=', id).select('companyId').executeTakeFirstOrThrow()
  const entry = {
    action: 'demand.evidence',
    bizType: 'demand',
    bizId: String(id),
    bizName: demand.title,
    companyId: owner.companyId,
  } as const
  await transact(context, { now }, (work) => insertAudit(work.db, actor, { ...entry, after }, now))
  return { name: text.admin.evidence.file(code), mime: 'application/zip', content }
}

function findQuestionsAsAsked(db: Read, demandId: number) {
  return db
    .selectFrom('demandQuestion')
    .where('demandId', '=', demandId)
    .orderBy('id')
    .select(['content', 'askTime', 'answer', 'answerTime'])
    .execute()
}

/** The messages about a demand, one row for all people who got the same at the same moment. */
function findMessagesAbout(db: Read, demandId: number) {
  return db
    .selectFrom('message')
    .where('bizType', '=', 'demand')
    .where('bizId', '=', String(demandId))
    .groupBy(['kind', 'createTime'])
    .orderBy('createTime')
    .select([
      'kind',
      'createTime',
      sql<Record<string, string>>`(array_agg(params order by id))[1]`.as('params'),
      (eb) => eb.fn.countAll<number>().as('people'),
    ])
    .execute()
}
