import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import * as contract from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { wholeRecord } from '#shared/contract/record-pages.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { recordContractRoots } from '#server/contract/heads.ts'
import { sha256 } from '#server/contract/digest.ts'
import { contractSteps, nameThem } from './given-contract.ts'
import { monday, type openWorld } from './world.ts'

type Side = 'project' | 'lessor' | 'auditor'
/** The columns that tell the rows of a table apart. */
const keys = { contract_event: 'id', contract_version: 'contract_id, revision', contract_head: 'day, contract_id', demand_event: 'id' }

/** The columns that tests change of tables whose rows others refer to. */
const restored = {
  contract: [
    'clauses',
    'text',
    'text_hash',
    'text_en',
    'revision',
    'amount_fen',
    'net_fen',
    'tax_fen',
    'bank_name',
    'bank_account',
    'account_salt',
  ],
  contract_line: ['unit_price_fen', 'tax_rate', 'exit_fee_fen', 'plan_end', 'status', 'shift_mode', 'est_quantity'],
  contract_change: ['input', 'from_day', 'reason', 'kind', 'account_salt'],
}
type Referred = keyof typeof restored
const isReferred = (table: string): table is Referred => table in restored

/** The day on which the contract of `givenChain` was made, whose root is recorded the night after. */
export const day = dayOf(new Date(monday.getTime() + 4 * 86_400_000))

/** The steps of tests that change what is stored of a contract and see who notices. */
export function recordSteps(world: Awaited<ReturnType<typeof openWorld>>) {
  const { db, cast, clock, services } = world
  const { givenContract, givenDraft, send, pass } = contractSteps(world)
  const recordOf = async (who: Side, id: number) => {
    await db.deleteFrom('callLimit').execute()
    return wholeRecord(async (query) => (await cast[who].call(contract.getContractChain, { params: { id }, query })).data)
  }
  const faultFor = async (who: Side, id: number) => recordFault(await recordOf(who, id), recordChecks, sha256)

  /** Changes stored rows as only the owner of the database can, looks, and puts everything back. */
  async function tampered<T>(table: keyof typeof keys | Referred, change: string, look: () => Promise<T>): Promise<T> {
    const before = `before_${table}`
    const names = (await columnsOf(table)).map(({ name }) => name).join(', ')
    const asOwner = async (...statements: string[]) => {
      const around = (what: string) => `alter table ${table} ${what} trigger user`
      for (const statement of [around('disable'), ...statements, around('enable')]) await sql.raw(statement).execute(db)
    }
    await sql.raw(`create table ${before} as select * from ${table}`).execute(db)
    try {
      await asOwner(...change.split(';'))
      return await look()
    } finally {
      await (isReferred(table)
        ? asOwner(
            `update ${table} c set ${restored[table].map((name) => `${name} = b.${name}`).join(', ')} from ${before} b where b.id = c.id`,
          )
        : asOwner(
            `delete from ${table}`,
            `insert into ${table} (${names}) overriding system value select ${names} from ${before} order by ${keys[table]}`,
          ))
      await sql.raw(`drop table ${before}`).execute(db)
    }
  }

  const columnsOf = async (table: string) =>
    (
      await sql<{ name: string; type: string }>`select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = ${table} order by ordinal_position`.execute(db)
    ).rows

  async function night(): Promise<void> {
    clock.set(monday)
    pass(6 * 86_400)
    await recordContractRoots(services)
  }

  /** A contract of many steps whose root was recorded, beside another one whose id a changed row can be given. `steps`: the length of its chain. */
  async function givenChain() {
    clock.set(monday)
    await givenDraft()
    const draft = await givenDraft()
    await send(cast.project, draft.id)
    const comment = { comment: '退场费由承租方承担', clauses: [] }
    await cast.lessor.call(calls.returnContract, { params: { id: draft.id }, body: comment })
    const { id } = await givenContract()
    const persons = [{ task: 'signer', accountId: cast.project.id }]
    await nameThem(cast.project, id, persons)
    const steps = (await recordOf('project', id)).links.length
    await night()
    return { id, steps }
  }
  return { recordOf, faultFor, tampered, columnsOf, night, givenChain }
}
