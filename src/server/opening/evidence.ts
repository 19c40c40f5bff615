import { isOpened } from '#shared/demand/rules.ts'
import type { Download, StoredDownload } from '#shared/endpoint.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { logTaken, takenByStaff } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import type { Context } from '../deed.ts'
import { findItems, getOwnDemand } from '../demand/queries.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { findMessagesAbout } from '../message/queries.ts'
import { compareQuotes, withoutHiddenCeilings } from '../quote/compare.ts'
import { quotesWorkbook } from '../quote/export.ts'
import { findLinks, findReceipts } from './chain.ts'
import { evidencePage } from './evidence-page.ts'
import { inFolder, storedFiles, textFile, withManifest, zipped, type Elsewhere, type PackFile } from './pack.ts'

/**
 * Packs everything about an opened demand that an auditor needs to check it without the platform: a page, the offers as they were sealed, the
 * files, the chain. `manifest.sha256` is what `sha256sum -c` reads.
 */
export async function evidencePack(context: Context, id: number): Promise<StoredDownload> {
  const { db } = context
  const found = await findEvidence(context, id)
  const { code, demand, chain } = found
  const entry = {
    action: 'demand.evidence',
    bizType: 'demand',
    bizId: String(id),
    bizName: demand.title,
    companyId: await findOwner(db, id),
    after: { files: demand.attachments.length, head: chain.links.at(-1)?.hash ?? '' },
  } as const
  const files = await demandFiles(context, found)
  await logTaken(context, entry)
  const chunks = zipped(inFolder(code, withManifest(files)))
  return { name: textOf(context.locale).admin.evidence.file(code), mime: 'application/zip', size: null, chunks }
}

/** The company of the demand, whose auditors read what the platform took. */
const findOwner = async (db: Read, id: number): Promise<number> =>
  (await db.selectFrom('demand').where('id', '=', id).select('companyId').executeTakeFirstOrThrow()).companyId

/** All quotes of an opened demand as a workbook. */
export async function exportQuotes(context: Context, id: number): Promise<Download> {
  const { db, actor, locale, now } = context
  const demand = await getOwnDemand(db, actor, id)
  const entry = {
    action: 'demand.quotes',
    bizType: 'demand',
    bizId: String(id),
    bizName: demand.title,
    companyId: await findOwner(db, id),
  } as const
  return takenByStaff(context, entry, () => quotesWorkbook(db, demand, { text: textOf(locale), now }))
}

/** What the pack of a demand says. Refuses a demand that is not opened or not the reader's. */
export async function findEvidence({ db, secret, actor, now }: Context, id: number) {
  const demand = await getOwnDemand(db, actor, id)
  if (!isOpened(demand)) throw new Refusal('quotes_sealed')
  const code = demand.demandCode ?? String(id)
  const compared = await compareQuotes(db, id, now)
  return {
    demand,
    code,
    items: await findItems(db, id),
    compared: actor.role === 'operator' ? withoutHiddenCeilings(compared, demand) : compared,
    chain: {
      demandId: id,
      demandCode: code,
      links: await findLinks(db, id, { details: true, quotes: true, sealed: false }),
      receipts: await findReceipts({ db, secret }, id, { opened: true, companyId: null }),
    },
    questions: await findQuestionsAsAsked(db, id),
    messages: await findMessagesAbout(db, { bizType: 'demand', id, companyId: null }),
  }
}

export type DemandEvidence = Awaited<ReturnType<typeof findEvidence>>

/**
 * The files of the pack of a demand. The workbook is made at once, because its writer may refuse: then the caller gets the refusal instead of a download
 * that breaks off.
 */
export async function demandFiles(context: Context, found: DemandEvidence, elsewhere?: Elsewhere): Promise<AsyncGenerator<PackFile>> {
  const { db, locale, now } = context
  const { content } = await quotesWorkbook(db, { ...found.demand, items: found.items }, { text: textOf(locale), now })
  return filesOfPack(context, { ...found, comparison: { path: 'comparison.xlsx', content, isPacked: true } }, elsewhere)
}

/** The files in the order of the pack, the page last: it names those that the storage lacks. */
async function* filesOfPack(
  { storage, now, locale, config }: Context,
  found: DemandEvidence & { comparison: PackFile },
  elsewhere?: Elsewhere,
): AsyncGenerator<PackFile> {
  const text = textOf(locale)
  const { demand, chain } = found
  const attached: string[] = []
  yield* storedFiles(storage, demand.attachments, {
    folder: 'attachments',
    missing: text.admin.evidence.missing,
    paths: attached,
    elsewhere,
  })
  for (const { quoteCode, offer } of chain.receipts) if (offer !== null) yield textFile(`offers/${quoteCode}.json`, offer)
  yield textFile('chain.json', JSON.stringify(chain, null, 1))
  yield found.comparison
  yield textFile(
    'index.html',
    evidencePage({ ...found, attached }, { text, site: nameIn(text, config.site.name, config.site.nameEn), now }),
  )
}

function findQuestionsAsAsked(db: Read, demandId: number) {
  return db
    .selectFrom('demandQuestion')
    .where('demandId', '=', demandId)
    .orderBy('id')
    .select(['content', 'askTime', 'answer', 'answerTime'])
    .execute()
}
