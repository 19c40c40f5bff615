import type { StoredDownload } from '#shared/endpoint.ts'
import { insertAudit } from '../audit/log.ts'
import { transact, type Context } from '../deed.ts'
import { textOf } from '../http/locale.ts'
import { findLinks, findReceipts } from '../opening/chain.ts'
import { demandFiles, findEvidence, findMessagesAbout } from '../opening/evidence.ts'
import { inFolder, storedFiles, textFile, withManifest, zipped, type PackFile } from '../opening/pack.ts'
import { listChanges } from './change-list.ts'
import { contractEvidencePage } from './evidence-page.ts'
import { contractPdf } from './prints.ts'
import { getContract, getContractText } from './queries.ts'
import { getContractRecord } from './record.ts'

export type ContractEvidence = Awaited<ReturnType<typeof findContractEvidence>>

/**
 * Packs everything about a contract that whoever sees it may read, so that it can be checked without the platform: the page with the check, the PDF, every
 * version, amendments, scans, messages, the chain, and the pack of the demand. `manifest.sha256` is what `sha256sum -c` reads.
 */
export async function contractEvidence(context: Context, id: number): Promise<StoredDownload> {
  const { actor, now } = context
  const found = await findContractEvidence(context, id)
  const { contract, record } = found
  const entry = {
    action: 'contract.evidence',
    bizType: 'contract',
    bizId: String(id),
    bizName: contract.title,
    companyId: actor.companyId,
    after: { head: record.links.at(-1)?.hash ?? '' },
  } as const
  await transact(context, { now }, (work) => insertAudit(work.db, actor, entry, now))
  const files = contractFiles(context, found)
  const { file } = textOf(context.locale).contract.record.evidence
  const chunks = zipped(inFolder(contract.contractCode, withManifest(files)))
  return { name: file(contract.contractCode), mime: 'application/zip', size: null, chunks }
}

/** All that is refused or read from the database is done before the first byte leaves. */
async function findContractEvidence(context: Context, id: number) {
  const { db, actor, locale } = context
  const contract = await getContract(context, id)
  return {
    contract,
    record: await getContractRecord(context, id),
    text: (await getContractText(context, { id, text: textOf(locale) })).text,
    changes: await listChanges(context, id),
    // A lessor's people get messages that the lessee's do not, and the other way round.
    messages: await findMessagesAbout(db, { bizType: 'contract', id, companyId: actor.role === 'operator' ? null : actor.companyId }),
    prints: await printsOf(context, id),
    demand: contract.demand && (await findDemandOf(context, contract.demand.id)),
  }
}

/** The documents that are drawn for the pack. */
async function printsOf(context: Context, id: number): Promise<PackFile[]> {
  const { content } = await contractPdf(context, id)
  return [{ path: 'contract.pdf', content, isPacked: true }]
}

/** The whole pack of the demand for its own side; a lessor reads its chain and their own receipts, and nothing of the other lessors. */
async function findDemandOf(context: Context, id: number) {
  const { db, secret, actor } = context
  if (actor.role !== 'leaser') return { whole: await findEvidence(context, id), chain: null }
  return {
    whole: null,
    chain: {
      demandId: id,
      links: await findLinks(db, id, { details: false, quotes: false, sealed: false }),
      receipts: await findReceipts({ db, secret }, id, { opened: true, companyId: actor.companyId }),
    },
  }
}

/** The files in the order of the pack, the page last: it names those that the storage lacks. */
async function* contractFiles(context: Context, found: ContractEvidence): AsyncGenerator<PackFile> {
  const { storage, locale, now, config } = context
  const text = textOf(locale)
  const { contract, record, changes, prints, demand } = found
  yield* prints
  for (const { revision, fact, text: agreed } of record.versions) {
    yield textFile(`versions/${revision}.txt`, agreed)
    yield textFile(`versions/${revision}.json`, fact)
  }
  if (record.versions.length === 0) yield textFile('draft.txt', found.text)
  // What the reader may do is of no interest to whoever checks the pack.
  const { may: _may, colleagues: _colleagues, phoneEnd: _phoneEnd, ...facts } = contract
  yield textFile('contract.json', JSON.stringify(facts, null, 1))
  yield textFile('amendments.json', JSON.stringify(changes, null, 1))
  const scanned: string[] = []
  const scans = contract.scans.map(({ id, name }) => ({ fileId: id, name }))
  yield* storedFiles(storage, scans, { folder: 'scans', missing: text.admin.evidence.missing, paths: scanned })
  if (demand?.whole) yield* inFolder('demand', withManifest(demandFiles(context, demand.whole)))
  if (demand?.chain) yield textFile('demand/chain.json', JSON.stringify(demand.chain, null, 1))
  yield textFile('chain.json', JSON.stringify(record, null, 1))
  yield textFile('index.html', contractEvidencePage({ ...found, scanned }, { text, site: config.site.name, now }))
}
