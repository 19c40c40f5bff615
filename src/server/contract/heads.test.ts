import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayOf } from '#shared/calendar.ts'
import { merklePath, merkleRoot, type ChainHead } from '#shared/contract/merkle.ts'
import { recordChecks, recordFault, type RecordFault } from '#shared/contract/record.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { day, recordSteps } from '#test/contract-record.ts'
import { monday, openWorld } from '#test/world.ts'
import { checkContractRoot, findWrongRoots, recordContractRoots } from './heads.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
const { givenContract, pass } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const { recordOf, faultFor, tampered, givenChain, night } = recordSteps(world)
let id = 0
let steps = 0
beforeAll(async () => {
  ;({ id, steps } = await givenChain())
})

describe('the root of a night', () => {
  const cutEnd = () => `delete from contract_event where contract_id = ${id} and seq = ${steps}`

  test('a cut-off end shows from the next night on', async () => {
    const young = (await givenContract()).id
    pass(6 * 86_400)
    await nameThem(cast.project, young, [])
    const grown = dayOf(clock.now())
    const cut = `delete from contract_event where contract_id = ${young} and move = 'persons'`
    expect(await tampered('contract_event', cut, () => faultFor('lessor', young))).toBeNull()
    pass(86_400)
    await recordContractRoots(services)
    expect(await faultFor('lessor', young)).toBeNull()
    expect(await tampered('contract_event', cut, () => faultFor('lessor', young))).toEqual({ part: 'cut', at: grown })
  })

  test('a cut-off end shows in the page of each side and to the operator', async () => {
    const record = await recordOf('lessor', id)
    expect(record.head).toMatchObject({ day, seq: steps, hash: record.links.at(-1)?.hash })
    expect(await faultFor('lessor', id)).toBeNull()
    expect(await findWrongRoots(db)).toEqual([])
    await tampered('contract_event', cutEnd(), async () => {
      for (const who of ['project', 'lessor', 'auditor'] as const) expect(await faultFor(who, id)).toEqual({ part: 'cut', at: day })
      expect(await findWrongRoots(db)).toMatchObject([{ day, rootFits: true, cut: [id] }])
    })
  })

  test('one entry of the audit log for each day with the root and how many; a second round writes none', async () => {
    await night()
    await night()
    const entries = await db
      .selectFrom('auditLog')
      .where('bizType', '=', 'contractRoot')
      .orderBy('seq')
      .select(['bizId', 'after', 'who'])
      .execute()
    expect(new Set(entries.map(({ bizId }) => bizId)).size).toBe(entries.length)
    const entry = entries.find(({ bizId }) => bizId === day)
    const heads = await db.selectFrom('contractHead').where('day', '=', day).selectAll().execute()
    expect(heads.length).toBeGreaterThan(2)
    expect(entry).toMatchObject({ who: 'contractRoots', after: { count: heads.length, root: expect.stringMatching(/^[0-9a-f]{64}$/) } })
    expect(await checkContractRoot(db, day)).toMatchObject({ rootFits: true, counted: heads.length, stored: heads.length, cut: [] })
    expect(await checkContractRoot(db, '2020-01-01')).toBeUndefined()
  })

  test('a head that is changed along with the chain, or removed, no longer gives the root', async () => {
    await night()
    await tampered('contract_event', cutEnd(), async () => {
      const forged = `update contract_head h set seq = e.seq, hash = e.hash from contract_event e where h.contract_id = ${id} and e.contract_id = ${id} and e.seq = ${steps - 1}`
      await tampered('contract_head', forged, async () => {
        expect(await faultFor('lessor', id)).toEqual({ part: 'root', at: day } satisfies RecordFault)
        expect(await findWrongRoots(db)).toMatchObject([{ day, rootFits: false }])
      })
      await tampered('contract_head', `delete from contract_head where contract_id = ${id}`, async () => {
        const [wrong] = await findWrongRoots(db)
        expect(wrong).toMatchObject({ day, rootFits: false })
        expect((wrong?.counted ?? 0) - (wrong?.stored ?? 0)).toBe(1)
      })
    })
  })

  test('heads and versions are only added', async () => {
    await night()
    for (const table of ['contract_head', 'contract_version', 'contract_event'])
      for (const statement of [`update ${table} set contract_id = contract_id`, `delete from ${table}`])
        await expect(sql.raw(statement).execute(db), statement).rejects.toThrow(/only added/)
  })

  test('the way from any head leads to the root, for any number of heads', async () => {
    const record = await recordOf('lessor', id)
    for (let count = 1; count <= 17; count++) {
      const heads: ChainHead[] = Array.from({ length: count }, (_, at) => ({ contractId: at + 1, seq: 1, hash: sha256(String(at)) }))
      const root = merkleRoot(heads, sha256)
      for (const one of heads) {
        const head = { ...one, day, path: merklePath(heads, one.contractId, sha256), root }
        const [first = expect.fail()] = record.links
        const links = [{ ...first, hash: one.hash }]
        const of = (more: object) =>
          recordFault(
            { ...record, links, demandLinks: [], versions: [], changes: [], standing: null, head: { ...head, ...more } },
            { ...recordChecks, brokenLink: () => Promise.resolve(null) },
            sha256,
          )
        expect(await of({})).toBeNull()
        expect(await of({ contractId: one.contractId + 1 })).toEqual({ part: 'root', at: day })
        expect(await of({ root: sha256('x') })).toEqual({ part: 'root', at: day })
      }
    }
  })
})
