import { afterAll, beforeEach, expect, test } from 'vitest'
import { awardDemand } from '#shared/award/contract.ts'
import { toMoment } from '#shared/calendar.ts'
import { getOwnDemand, publishDemand } from '#shared/demand/contract.ts'
import { amendDemand, cancelDemand, extendDemand, failDemand } from '#shared/demand/moves.ts'
import { inDept, paths } from '#shared/paths.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { en } from '#shared/text/en.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

type Move = (id: number, by: Person) => Promise<{ code: number; msg: string }>
const body = { reason: '方案调整' }
const { deptName: unit } = await db.selectFrom('dept').where('id', '=', cast.lessee.deptId).select('deptName').executeTakeFirstOrThrow()
const later = toMoment(new Date(monday.getTime() + 5 * 86_400_000))

const moves: Record<string, { move: Move; kind: string; words: string; ready?: () => Promise<void> }> = {
  'cancels it': {
    move: (id, by) => by.call(cancelDemand, { params: { id }, body }),
    kind: 'demandCancelled',
    words: '方案调整',
  },
  'closes it without an award': {
    move: (id, by) => by.call(failDemand, { params: { id }, body }),
    kind: 'demandFailed',
    words: '方案调整',
    ready: openAll,
  },
  'extends it': {
    move: (id, by) => by.call(extendDemand, { params: { id }, body: { quoteDeadline: later, ...body } }),
    kind: 'demandExtended',
    words: '的报价截止延至 2026-11-28 10:00，原因：方案调整',
  },
  'changes it': {
    move: async (id, by) => {
      const { version, items, quoteDeadline } = (await by.call(getOwnDemand, { params: { id } })).data
      const lines = items.map((line) => ({ ...world.demandItem({ qty: 1 }), id: line.id }))
      const changed = world.demandBody({ quoteDeadline, items: lines, changeReason: '数量减少' })
      return by.call(amendDemand, { body: { ...changed, id, version } })
    },
    kind: 'demandChanged',
    words: '：数量减少。报价截止为 2026-11-26 10:00。',
  },
  'awards it': {
    move: async (id, by) => {
      const { data } = await by.call(compareQuotes, { params: { demandId: id } })
      const line = data.quotes[0]?.lines[0]
      return by.call(awardDemand, {
        params: { id },
        body: { lines: [{ demandItemId: line?.demandItemId, quoteLineId: line?.id, qty: 1 }] },
      })
    },
    kind: 'demandAwarded',
    words: `${unit}已为 XQ`,
    ready: openAll,
  },
}

async function openAll() {
  world.passDeadline()
  await openDueDemands(world.services)
}

test.each(Object.entries(moves))(
  'when somebody of a unit above %s, the people of the project are told; of what they do themselves nobody of them is',
  async (_, { move, kind, words, ready }) => {
    const messagesAfter = async (by: Person) => {
      clock.set(monday)
      const demand = await world.givenDemand({ minQuotes: 1 })
      await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
      await ready?.()
      await db.deleteFrom('message').execute()
      const { code, msg } = await move(demand.id, by)
      expect([code, msg]).toEqual([200, expect.any(String)])
      const own = db.selectFrom('message').where('accountId', 'in', [cast.project.id, cast.lessee.id]).orderBy('id')
      return { id: demand.id, rows: await own.select(['accountId', 'kind', 'content', 'link', 'params']).execute() }
    }
    const { id, rows } = await messagesAfter(cast.lessee)
    const link = inDept(paths.ownDemand(id), cast.project.deptId)
    expect(rows).toEqual([{ accountId: cast.project.id, kind, content: expect.stringContaining(words), link, params: expect.anything() }])
    expect((await messagesAfter(cast.project)).rows).toEqual([])
  },
)

test('a project reads which unit changed its demand; a lessor reads that it changed, under the same title', async () => {
  const { id } = await world.givenDemand()
  await moves['changes it']?.move(id, cast.lessee)
  const { content } = await db
    .selectFrom('message')
    .where('accountId', '=', cast.project.id)
    .where('kind', '=', 'demandChanged')
    .where('bizId', '=', String(id))
    .select('content')
    .executeTakeFirstOrThrow()
  expect(content).toContain(`${unit}变更了 XQ`)
  const { title, content: words } = en.messages.demandChanged
  const params = { title: 'Cranes', code: 'XQ1', reason: 'fewer cranes', deadline: '2026-11-26 10:00' }
  expect([title({ ...params, unit }), words({ ...params, unit })]).toEqual([
    title(params),
    expect.stringMatching(`^${unit} changed XQ1: fewer`),
  ])
  expect(words(params)).toMatch(/^XQ1 was changed: fewer cranes/)
})

test('a project is told of the demand that a unit above publishes for it, and nobody of one that it publishes itself', async () => {
  const publish = async (by: Person, changes: Record<string, unknown>) => {
    await db.deleteFrom('message').execute()
    const { id } = (await by.call(publishDemand, { body: world.demandBody(changes) })).data
    const rows = await db.selectFrom('message').where('bizId', '=', String(id)).select(['accountId', 'kind', 'content', 'link']).execute()
    return { id, rows }
  }
  const { id, rows } = await publish(cast.lessee, { deptId: cast.project.deptId })
  const content = expect.stringContaining(`${unit}已为贵项目部发布 XQ`)
  const link = inDept(paths.ownDemand(id), cast.project.deptId)
  expect(rows).toEqual([{ accountId: cast.project.id, kind: 'demandPublished', content, link }])
  expect((await publish(cast.project, {})).rows).toEqual([])
})
