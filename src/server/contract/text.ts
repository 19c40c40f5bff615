import { sql } from 'kysely'
import type { DatedRate } from '#shared/contract/amount.ts'
import { canonicalText, contractSections, sectionsOf, type ContractFactsForText } from '#shared/contract/text.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractStatus, type ContractStatus } from '#shared/contract/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Read } from '../db/connect.ts'
import type { Context } from '../deed.ts'
import { brandEnOf } from '../equipment/names.ts'
import { Refusal } from '../http/refusal.ts'
import { priceColumns } from '../quote/price-columns.ts'
import { regionNamesOf } from '../region/queries.ts'
import { sha256 } from './digest.ts'
import { seenBy } from './scope.ts'

type At = Pick<Context, 'db' | 'actor' | 'now'>
/** A version after the first: its number, the day from which it holds, the amendment that makes it, and the prices of its positions by day. */
type LaterVersion = { revision: number; fromDay: string; changeCode: string; rates: ReadonlyMap<number, readonly DatedRate[]> }
type Written = { language: 'zh' | 'en'; version?: LaterVersion | undefined }

/** What the text of a contract is made from, as it stands now; the place is in the language of the text. */
async function findTextFacts(db: Read, id: number, { language, version }: Written): Promise<ContractFactsForText> {
  const { regionName, regionNameEn, address, clauses, ...contract } = await db
    .selectFrom('contract')
    .innerJoin('company as lessee', 'lessee.id', 'contract.lesseeCompanyId')
    .innerJoin('company as lessor', 'lessor.id', 'contract.lessorCompanyId')
    .innerJoin('dept', 'dept.id', 'contract.deptId')
    .leftJoin('demand', 'demand.id', 'contract.demandId')
    .where('contract.id', '=', id)
    .select([
      'contract.contractCode',
      'contract.title',
      'contract.externalNo',
      'lessee.enterpriseName as lesseeName',
      'lessor.enterpriseName as lessorName',
      'dept.deptName',
      sql<string>`coalesce(nullif(demand.project_name, ''), dept.dept_name)`.as('projectName'),
      'contract.address',
      ...regionNamesOf('contract'),
      'contract.planStart',
      'contract.planEnd',
      'contract.amountFen',
      'contract.netFen',
      'contract.taxFen',
      'contract.scaleLessee',
      'contract.scaleLessor',
      'contract.clauses',
    ])
    .executeTakeFirstOrThrow()
  const lines = await findPositions(db, id)
  const forms = await findForms(db, id)
  return {
    ...contract,
    place: language === 'zh' ? `${regionName} ${address}` : `${address}, ${regionNameEn}`,
    clauses,
    version: version ?? null,
    forms,
    lines: lines.map((line) => ({ ...line, name: language === 'zh' ? line.name : line.nameEn, rates: version?.rates.get(line.id) })),
    buildingLifting: lines.some(({ buildingLifting }) => buildingLifting),
  }
}

/** The own form of the lessee's unit, in its order. */
export async function findForms(db: Read, contractId: number) {
  const files = await db
    .selectFrom('contractFile as c')
    .innerJoin('file as f', 'f.id', 'c.fileId')
    .where('c.contractId', '=', contractId)
    .where('c.kind', '=', 'form')
    .orderBy('c.orderNum')
    .select(['f.id', 'f.name', 'f.size', 'f.mime', 'f.sha256'])
    .execute()
  return files.map((file) => ({ ...file, sha256: file.sha256.toString('hex') }))
}

/** The specification of a position is brand and model of its machine as they were; the machine may have another brand by now. */
const ownBrand = sql<string>`case when starts_with(l.spec, e.brand || ' ') then e.brand else split_part(l.spec, ' ', 1) end`

/** The positions of a contract. The English name is made from what the position has of its machine, which may be called otherwise by now. */
export async function findPositions(db: Read, contractId: number) {
  const rows = await db
    .selectFrom('contractLine as l')
    .innerJoin('category as c', 'c.id', 'l.categoryId')
    .innerJoin('equipment as e', 'e.id', 'l.equipmentId')
    .where('l.contractId', '=', contractId)
    .orderBy('l.lineNo')
    .select([
      'l.id',
      'l.lineNo',
      'l.equipmentId',
      'e.equipmentCode',
      'c.name as categoryName',
      'c.nameEn as categoryNameEn',
      'l.name',
      ownBrand.as('brand'),
      brandEnOf(ownBrand).as('brandEn'),
      sql<string>`substr(l.spec, length(${ownBrand}) + 2)`.as('model'),
      'l.spec',
      'l.isLot',
      'l.qty',
      ...priceColumns('l'),
      'l.estQuantity',
      'l.shiftMode',
      'l.planStart',
      'l.planEnd',
      'l.status',
      sql<boolean>`coalesce((c.flags ->> 'buildingLifting')::boolean, false)`.as('buildingLifting'),
    ])
    .execute()
  return rows.map(({ brand, brandEn, model, ...line }) => ({ ...line, nameEn: machineNameEn({ ...line, brand, brandEn, model }) }))
}

/** The binding text as it stands now with its hash, and the English one for reading: what is frozen once a side confirms. */
export async function frozenText(
  db: Read,
  id: number,
  version?: LaterVersion,
): Promise<{ text: string; textHash: string; textEn: string }> {
  const text = canonicalText(contractSections(await findTextFacts(db, id, { language: 'zh', version }), zhCn))
  const textEn = canonicalText(contractSections(await findTextFacts(db, id, { language: 'en', version }), en))
  return { text, textHash: sha256(text), textEn }
}

/** The hash of the binding text: of a draft, as it would be frozen now. Null of a contract that was given up before it was sent. */
export async function findTextHash(db: Read, { id, status, textHash }: { id: number; status: ContractStatus; textHash: string | null }) {
  if (status !== contractStatus.draft) return textHash
  return sha256(canonicalText(contractSections(await findTextFacts(db, id, { language: 'zh' }), zhCn)))
}

/**
 * The text in the reader's language, with the binding one and its hash: made from the draft as it stands, and once it was sent, as it was frozen, whatever
 * has been renamed since; or one of its versions. Where no English text was kept, the sections are those of the binding one.
 */
export async function getContractText(at: At, { id, revision, text }: { id: number; revision?: number | undefined; text: Text }) {
  const { text: binding, textHash, textEn } = await (revision === undefined ? findNewestText(at, id) : findVersionText(at, id, revision))
  const language = text.locale === 'zh-CN' || !textEn ? ('zh-CN' as const) : ('en-US' as const)
  return { sections: sectionsOf(language === 'en-US' && textEn ? textEn : binding), language, text: binding, textHash }
}

async function findNewestText(at: At, id: number) {
  const { db } = at
  const found = await db
    .selectFrom('contract')
    .where('id', '=', id)
    .where(seenBy(at))
    .select(['status', 'text', 'textEn', 'textHash'])
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  const isDraft = found.status === contractStatus.draft || found.textHash === null
  return isDraft ? frozenText(db, id) : { ...found, textHash: found.textHash ?? '' }
}

async function findVersionText(at: At, id: number, revision: number) {
  const found = await at.db
    .selectFrom('contractVersion as v')
    .innerJoin('contract', 'contract.id', 'v.contractId')
    .where('v.contractId', '=', id)
    .where('v.revision', '=', revision)
    .where(seenBy(at))
    .select(['v.text', 'v.textEn', 'v.textHash'])
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  return found
}
