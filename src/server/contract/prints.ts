import { sql } from 'kysely'
import type { ContractClauses } from '#shared/contract/clauses.ts'
import { changeStatus, type ContractSide, type LapseBlame } from '#shared/contract/rules.ts'
import type { Download } from '#shared/endpoint.ts'
import { paths } from '#shared/paths.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Read } from '../db/connect.ts'
import { inOneSnapshot, transact, type Context } from '../deed.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { makePdf } from '../pdf/pdf.ts'
import { changePrint } from './change-print.ts'
import { contractPrint, type Confirmation, type Making } from './contract-print.ts'
import { getContract, type At } from './queries.ts'
import { accountReader, seenBy, seesUnsent, sideOf } from './scope.ts'
import { findPositions, getContractText } from './text.ts'

/** The contract as a PDF in the language of the reader, who sees in it what they see on its page. */
export async function contractPdf(context: Context, id: number): Promise<Download> {
  const printed = await inOneSnapshot(context.db, async (db) => {
    const at = { ...context, db }
    return findPrinted(at, await getContract(at, id))
  })
  return drawContract(context, printed)
}

type Printed = Awaited<ReturnType<typeof findPrinted>>

/** What the print of a contract says, for a person who sees it. */
export async function findPrinted(at: At & Pick<Context, 'locale'>, contract: Awaited<ReturnType<typeof getContract>>) {
  const { id, side } = contract
  return {
    contract,
    ...(await getContractText(at, { id, text: textOf(at.locale) })),
    confirmations: await findConfirmations(at.db, id, { side, changeId: null }),
  }
}

/** Draws the print of a contract and counts it. */
export async function drawContract(
  context: Context,
  { contract, sections, language, textHash, confirmations }: Printed,
): Promise<Download> {
  const { id } = contract
  const text = textOf(context.locale)
  const print = contractPrint(
    {
      ...contract,
      endReason: endReasonOf(text, contract),
      lines: contract.lines.map((line) => ({ ...line, name: nameIn(text, line.name, line.nameEn) })),
      sections,
      sectionText: textOf(language),
      textHash,
      printNo: await countPrint(context, { contractId: id, revision: contract.revision, textHash }),
      confirmations,
    },
    makingOf(context, { id, text }),
  )
  return makePdf(contract.contractCode, print, String(context.actor.accountId))
}

/** Why a contract ended, in the language of the reader: where the clock ended its award no reason is stored. */
export const endReasonOf = (text: Text, { endReason, lapseBlame }: { endReason: string; lapseBlame: LapseBlame | null }): string =>
  endReason || (lapseBlame === null ? '' : text.contract.pages.lapsed(text.contract.blame[lapseBlame]))

type Version = { contractId: number; revision: number; textHash: string }

/** Counts one more print of this version and gives its number. A print that then cannot be made leaves its number out. */
const countPrint = (context: Context, version: Version): Promise<number> =>
  transact(context, { now: context.now }, async ({ db }) => {
    const { prints } = await db
      .insertInto('contractPrint')
      .values({ ...version, prints: 1 })
      .onConflict((conflict) =>
        conflict.columns(['contractId', 'revision', 'textHash']).doUpdateSet({ prints: sql`contract_print.prints + 1` }),
      )
      .returning('prints')
      .executeTakeFirstOrThrow()
    return prints
  })

/** An amendment as a PDF, for whoever sees its contract. */
export async function changePdf(context: Context, changeId: number): Promise<Download> {
  const { db, actor } = context
  const text = textOf(context.locale)
  const change = await db
    .selectFrom('contractChange')
    .innerJoin('contract', 'contract.id', 'contractChange.contractId')
    .innerJoin('company as lessee', 'lessee.id', 'contract.lesseeCompanyId')
    .innerJoin('company as lessor', 'lessor.id', 'contract.lessorCompanyId')
    .innerJoin('dept', 'dept.id', 'contract.deptId')
    .where('contractChange.id', '=', changeId)
    .where(seenBy(context))
    .where((eb) => eb.or([eb('contractChange.sentAt', 'is not', null), eb.lit(seesUnsent(actor))]))
    .select([
      'contractChange.contractId',
      'contractChange.changeCode',
      'contractChange.kind',
      'contractChange.side',
      'contractChange.status',
      'contractChange.fromDay',
      'contractChange.reason',
      'contractChange.answer',
      'contractChange.effectiveAt',
      'contractChange.textHash',
      'contractChange.input',
      'contract.contractCode',
      'contract.title',
      'contract.clauses',
      'lessee.enterpriseName as lesseeName',
      'lessor.enterpriseName as lessorName',
      'dept.deptName',
    ])
    .executeTakeFirst()
  if (!change) throw new Refusal('not_found')
  const { contractId, clauses, ...rest } = change
  const lines = await findPositions(db, contractId)
  const accountAsRead = await accountReader(db, contractId, actor)
  const print = changePrint(
    {
      ...rest,
      accountAsRead,
      clausesBefore: (await findClausesBefore(db, { contractId, changeId })) ?? clauses,
      lines: lines.map((line) => ({ ...line, name: nameIn(text, line.name, line.nameEn) })),
      confirmations: await findConfirmations(db, contractId, { side: sideOf(actor), changeId }),
    },
    makingOf(context, { id: contractId, text }),
  )
  return makePdf(change.changeCode, print, String(actor.accountId))
}

const makingOf = ({ config, now, origin }: Context, { id, text }: { id: number; text: Text }): Making => ({
  text,
  site: nameIn(text, config.site.name, config.site.nameEn),
  now,
  address: `${origin ?? config.publicUrl ?? ''}${paths.contract(id)}`,
})

/** The clauses that held before an amendment was confirmed, or hold now where it was not answered. */
async function findClausesBefore(
  db: Read,
  { contractId, changeId }: { contractId: number; changeId: number },
): Promise<ContractClauses | undefined> {
  const found = await db
    .selectFrom('contractVersion')
    .where('contractId', '=', contractId)
    .where(sql<boolean>`at < (select coalesce(answered_at, 'infinity') from contract_change where id = ${changeId})`)
    .orderBy('revision', 'desc')
    .select('clauses')
    .executeTakeFirst()
  return found?.clauses
}

/**
 * The confirmations that hold: the sending that was not taken or sent back, what the lessor confirmed, and the amendments in force; or those of one
 * amendment. Who acted is named to their own side and to the platform's people.
 */
async function findConfirmations(
  db: Read,
  contractId: number,
  { side, changeId }: { side: ContractSide | null; changeId: number | null },
): Promise<Confirmation[]> {
  const { rows } = await sql<{
    at: string
    side: ContractSide
    company: string
    name: string | null
    move: Confirmation['move']
    code: string
    hash: string
  }>`
    select e.at, e.side, c.enterprise_name as company, a.name, e.move, coalesce(b.change_code, '') as code,
      coalesce(case when e.move = 'confirm' then (select v.text_hash from contract_version v where v.contract_id = e.contract_id order by v.revision limit 1)
        when b.id is not null then b.text_hash else e.digest end, '') as hash
    from contract_event e
    join contract k on k.id = e.contract_id
    join company c on c.id = case e.side when 'lessee' then k.lessee_company_id else k.lessor_company_id end
    left join account a on a.id = e.account_id
    left join contract_change b on e.ref_kind = 'change' and b.id = e.ref_id
    where e.contract_id = ${contractId} and e.move in ('send', 'confirm', 'change', 'changeConfirm')
      and case when ${changeId}::bigint is null
        then e.move = 'confirm' or b.status = ${sql.lit(changeStatus.inForce)} or (e.move = 'send' and not exists
          (select from contract_event l where l.contract_id = e.contract_id and l.seq > e.seq and l.move in ('send', 'recall', 'return')))
        else b.id = ${changeId} end
    order by e.seq`.execute(db)
  return rows.map(({ name, ...row }) => ({ ...row, who: side === null || row.side === side ? (name ?? '') : null }))
}
