import { z } from 'zod'
import { ContractChange } from '#shared/contract/changes.ts'
import { Contract } from '#shared/contract/contract.ts'
import type { StoredDownload } from '#shared/endpoint.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { logTaken } from '../audit/log.ts'
import { inOneSnapshot, type Context } from '../deed.ts'
import { getOwnDemand } from '../demand/queries.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { findLinks, findReceipts } from '../opening/chain.ts'
import { findMessagesAbout } from '../message/queries.ts'
import { demandFiles, findEvidence } from '../opening/evidence.ts'
import {
  inFolder,
  jsonParts,
  maxPartBytes,
  partsOf,
  storedFiles,
  streamedFile,
  textFile,
  withManifest,
  zipped,
  type Elsewhere,
  type PackFile,
} from '../opening/pack.ts'
import { listChanges } from './change-list.ts'
import { contractEvidencePage } from './evidence-page.ts'
import { findEvents, readableMessages, readableSteps } from './history.ts'
import { drawContract, endReasonOf, findPrinted } from './prints.ts'
import { getContract } from './queries.ts'
import { findVersionHeads, getRecordBeside, readVersions } from './record.ts'

export type ContractEvidence = Awaited<ReturnType<typeof findContractEvidence>>

/**
 * Packs everything about a contract that whoever sees it may read, so that it can be checked without the platform: the page with the check, the PDF, every
 * version, amendments, the own form, scans, messages, the chain, and the pack of the demand. `manifest.sha256` is what `sha256sum -c` reads. Stored files of more than
 * `maxBytes` are split into parts, which are unpacked into one folder; the pages say where each file lies.
 */
export async function contractEvidence(
  context: Context,
  { id, part, maxBytes = maxPartBytes }: { id: number; part: number; maxBytes?: number },
): Promise<StoredDownload> {
  const { actor } = context
  // All of it is read as it is at one moment, because a pack with a half of a confirmation does not fit together.
  const { contract, stored, parts, head, evidence } = await inOneSnapshot(context.db, async (db) => {
    const at = { ...context, db }
    const found = await findParts(at, { id, maxBytes })
    if (part > found.parts) throw new Refusal('not_found')
    return { ...found, head: await findHead(at, id), evidence: part === 1 ? await findContractEvidence(at, found.contract) : null }
  })
  const words = textOf(context.locale).contract.record.evidence
  const elsewhere = (fileId: string) => {
    const one = stored.find((file) => file.fileId === fileId)
    return one === undefined || one.part === part ? null : words.inPart(one.part, parts)
  }
  const files =
    evidence !== null
      ? withManifest(contractFiles(context, { ...evidence, ...(await documentsOf(context, evidence, elsewhere)) }, elsewhere))
      : withManifest(laterFiles(context, { stored, part, elsewhere }), `manifest-${part}.sha256`)
  const entry = {
    action: 'contract.evidence',
    bizType: 'contract',
    bizId: String(id),
    bizName: contract.title,
    // Where the platform takes it, the auditors of the lessee read the entry.
    companyId: actor.companyId ?? contract.lessee.companyId,
    after: { head, ...(parts > 1 && { part }) },
  } as const
  await logTaken(context, entry)
  const chunks = zipped(inFolder(contract.contractCode, files))
  const name = parts === 1 ? words.file(contract.contractCode) : words.partFile(contract.contractCode, part, parts)
  return { name, mime: 'application/zip', size: null, chunks }
}

/** In how many parts the pack is handed out. */
export async function countEvidenceParts(context: Context, id: number): Promise<{ parts: number }> {
  const { parts } = await findParts(context, { id, maxBytes: maxPartBytes })
  return { parts }
}

/** The stored files of the pack, each with the part where it lies; the first part has all that is written for the pack as well. */
async function findParts(context: Context, { id, maxBytes }: { id: number; maxBytes: number }) {
  const { db, actor } = context
  const contract = await getContract(context, id)
  const hasWhole = contract.demand !== null && actor.role !== 'leaser'
  const { attachments } = hasWhole && contract.demand ? await getOwnDemand(db, actor, contract.demand.id) : { attachments: [] }
  const files = [
    ...contract.forms.map(({ id: fileId, name, size }) => ({ folder: 'forms', fileId, name, size })),
    ...contract.scans.map(({ id: fileId, name, size }) => ({ folder: 'scans', fileId, name, size })),
    ...filesOfNotices(contract).map(({ id: fileId, name, size }) => ({ folder: 'notices', fileId, name, size })),
    ...attachments.map(({ fileId, name, size }) => ({ folder: 'demand/attachments', fileId, name, size })),
  ]
  const places = partsOf(
    files.map(({ size }) => size),
    maxBytes,
  )
  return { contract, stored: files.map((file, at) => ({ ...file, part: places[at] ?? 1 })), parts: places.at(-1) ?? 1 }
}

const filesOfNotices = ({ notices }: Pick<Awaited<ReturnType<typeof getContract>>, 'notices'>) => notices.flatMap(({ files }) => files)

type Stored = Awaited<ReturnType<typeof findParts>>['stored']

/** The stored files of a part after the first, and a list of them. */
async function* laterFiles(
  { storage, locale }: Context,
  { stored, part, elsewhere }: { stored: Stored; part: number; elsewhere: Elsewhere },
): AsyncGenerator<PackFile> {
  const { missing } = textOf(locale).admin.evidence
  const paths: string[] = []
  for (const file of stored) if (file.part === part) yield* storedFiles(storage, [file], { folder: file.folder, missing, paths, elsewhere })
  yield textFile(`part-${part}.txt`, paths.join('\n'))
}

/** All that is refused is refused before the first byte leaves; then only versions are read, one by one, which stay as they are. */
async function findContractEvidence(context: Context, shown: Awaited<ReturnType<typeof getContract>>) {
  const { db, actor } = context
  const { id } = shown
  // The page shows the newest steps only.
  const contract = { ...shown, events: readableSteps(await findEvents(db, id, { actor })) }
  // A lessor's people get messages that the lessee's do not, and the other way round.
  const messages = await findMessagesAbout(db, { bizType: 'contract', id, companyId: actor.role === 'operator' ? null : actor.companyId })
  return {
    ...(await findPrinted(context, contract)),
    record: await getRecordBeside(context, id),
    versions: await findVersionHeads(db, id),
    changes: await listChanges(context, id),
    messages: readableMessages(actor, messages),
    demand: contract.demand && (await findDemandOf(context, contract.demand.id)),
  }
}

/** The documents that are drawn for the pack, and the files of its demand, whose workbook is made with them. */
async function documentsOf(context: Context, evidence: ContractEvidence, elsewhere: Elsewhere) {
  const { content } = await drawContract(context, evidence)
  const prints: PackFile[] = [{ path: 'contract.pdf', content, isPacked: true }]
  const whole = evidence.demand?.whole
  return { prints, demandPack: whole ? await demandFiles(context, whole, elsewhere) : null }
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

/** As the answers have them, with amounts in yuan. What the reader may do is of no interest to whoever checks the pack. */
const PackedContract = Contract.omit({ may: true, phoneEnd: true })
const PackedChanges = z.array(ContractChange.omit({ may: true }))

/** The files in the order of the pack, the page last: it names those that the storage lacks. */
async function* contractFiles(
  context: Context,
  found: ContractEvidence & Awaited<ReturnType<typeof documentsOf>>,
  elsewhere: Elsewhere,
): AsyncGenerator<PackFile> {
  const { db, storage, locale, now, config } = context
  const text = textOf(locale)
  const { contract, record, changes, prints, demandPack, demand } = found
  // Read anew for each file that has them, so that no more than one is held.
  const versions = () => readVersions(db, contract.id, found.versions)
  const whole = () => jsonParts({ ...record, versions: versions() })
  yield* prints
  for await (const { revision, fact, text: agreed, textEn } of versions()) {
    yield textFile(`versions/${revision}.txt`, agreed)
    if (textEn !== null) yield textFile(`versions/${revision}-en.txt`, textEn)
    yield textFile(`versions/${revision}.json`, fact)
  }
  if (found.versions.length === 0) yield textFile('draft.txt', found.text)
  yield textFile('contract.json', JSON.stringify(PackedContract.parse(contract), null, 1))
  yield textFile('amendments.json', JSON.stringify(PackedChanges.parse(changes), null, 1))
  // The SHA-256 of each of these files is the hash of the amendment, in the chain and on its print.
  for (const { changeCode, fact } of record.changes) if (fact !== null) yield textFile(`amendments/${changeCode}.json`, fact)
  // Their SHA-256 stands in the text of every version.
  const formed: string[] = []
  const forms = contract.forms.map(({ id, name }) => ({ fileId: id, name }))
  yield* storedFiles(storage, forms, { folder: 'forms', missing: text.admin.evidence.missing, paths: formed, elsewhere })
  const scanned: string[] = []
  const scans = contract.scans.map(({ id, name }) => ({ fileId: id, name }))
  yield* storedFiles(storage, scans, { folder: 'scans', missing: text.admin.evidence.missing, paths: scanned, elsewhere })
  const noticed: string[] = []
  const noticeFiles = filesOfNotices(contract).map(({ id, name }) => ({ fileId: id, name }))
  yield* storedFiles(storage, noticeFiles, { folder: 'notices', missing: text.admin.evidence.missing, paths: noticed, elsewhere })
  if (demandPack) yield* inFolder('demand', withManifest(demandPack))
  if (demand?.chain) yield textFile('demand/chain.json', JSON.stringify(demand.chain, null, 1))
  yield streamedFile('chain.json', whole())
  yield streamedFile(
    'index.html',
    contractEvidencePage(
      { ...found, contract: { ...contract, endReason: endReasonOf(text, contract) }, formed, scanned, noticed },
      { text, site: nameIn(text, config.site.name, config.site.nameEn), now, record: whole() },
    ),
  )
}

/** The hash of the last link of the contract's chain. */
async function findHead({ db }: Context, contractId: number): Promise<string> {
  const last = await db
    .selectFrom('contractEvent')
    .where('contractId', '=', contractId)
    .orderBy('seq', 'desc')
    .limit(1)
    .select('hash')
    .executeTakeFirst()
  return last?.hash ?? ''
}
