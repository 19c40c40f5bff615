import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { strToU8, zip, type AsyncZippable } from 'fflate'
import { sql } from 'kysely'
import { isOpened } from '#shared/demand/rules.ts'
import type { Download } from '#shared/endpoint.ts'
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
import { evidencePage } from './evidence-page.ts'

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
  files['index.html'] = strToU8(evidencePage({ demand, items, compared, chain, questions, messages, attached, code }, text, site, now))
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
