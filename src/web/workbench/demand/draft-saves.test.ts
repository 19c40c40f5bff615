import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UserInfo } from '#shared/account/contract.ts'
import { clearSession, draftPrefix, storeInfo, storeSignIn } from '../../app/session.ts'
import { readTab, writeTab } from '../../app/tab-storage.ts'
import { newDemand } from './draft.ts'
import { draftAnswered, draftSaves, nameOfPasted } from './draft-saves.ts'

type Draft = { id: number; version: number; title: string }
type Line = 'answer is lost' | 'call is lost'

/** The drafts that the server has. */
let drafts: Draft[] = []
/** What happens to the next calls; those after them are answered. */
let lines: (Line | Promise<void>)[] = []
let answers = new Map<string, object>()

/** Stores as `saveDraft` of the server does: once for each idempotency key, and never over another version. */
function answer(key: string, { id, version, form }: { id?: number; version?: number; form: { title: string } }): object {
  const done = answers.get(key)
  if (done) return done
  const found = drafts.find((draft) => draft.id === id)
  if (id !== undefined && found?.version !== version) return { code: 409, msg: '已被他人修改', data: null }
  const saved = { id: id ?? drafts.length + 1, version: (version ?? 0) + 1 }
  drafts = [...drafts.filter((draft) => draft !== found), { ...saved, title: form.title }]
  const envelope = { code: 200, data: saved }
  answers.set(key, envelope)
  return envelope
}

async function line(_path: string, { headers, body }: { headers: Record<string, string>; body: string }): Promise<Response> {
  const happens = lines.shift()
  if (happens === 'call is lost') throw new TypeError()
  await happens
  const envelope = answer(headers['idempotency-key'] ?? '', JSON.parse(body) as Parameters<typeof answer>[1])
  if (happens === 'answer is lost') throw new TypeError()
  return Response.json(envelope)
}

const typed = (title: string) => ({ ...newDemand(), deptId: 3, title })
/** Opens the form of that draft, or a new one. */
function open(first: Pick<Draft, 'id' | 'version'> | null = null) {
  const { open: opened, save, ...saves } = draftSaves(first && { id: first.id, version: first.version }, '')
  opened()
  const refusal = (error: unknown) => (error as { code: number }).code
  return { ...saves, save: (title: string, asNew = false) => save(typed(title), asNew).catch(refusal) }
}
const given = (version: number, id = 1): Draft => {
  const draft = { id, version, title: '塔机' }
  drafts = [draft]
  return draft
}

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
  vi.stubGlobal('sessionStorage', {})
  vi.stubGlobal('fetch', line)
  storeSignIn({ access_token: 'token', expires_in: 720 })
  storeInfo({ user: { userId: 7 } } as UserInfo)
  drafts = []
  lines = []
  answers = new Map()
})
afterEach(() => {
  clearSession()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each(['answer is lost', 'call is lost'] as const)(
  'a save of a draft whose %s is no other person’s: what is typed next is stored',
  async (lost) => {
    const form = open(given(3))
    lines = [lost]
    expect(await form.save('塔机两台')).toBe(0)
    expect(await form.save('塔机两台，带司机')).toEqual({ id: 1, version: 5 })
    expect(drafts).toEqual([{ id: 1, version: 5, title: '塔机两台，带司机' }])
    // The same text again is one save.
    lines = [lost]
    await form.save('塔机三台')
    expect(await form.save('塔机三台')).toEqual({ id: 1, version: 6 })
  },
)

test.each(['answer is lost', 'call is lost'] as const)('the first save of a new demand whose %s makes one draft', async (lost) => {
  const form = open()
  lines = [lost, lost]
  await form.save('吊车')
  await form.save('吊车一台')
  expect(await form.save('吊车两台')).toEqual({ id: 1, version: 2 })
  expect([form.name(), drafts]).toEqual(['demand-1', [{ id: 1, version: 2, title: '吊车两台' }]])
})

test('a draft that somebody else has saved is not written over, also where an answer was lost before', async () => {
  const form = open(given(3))
  lines = ['answer is lost']
  await form.save('塔机两台')
  drafts = [{ id: 1, version: 5, title: '同事的塔机' }]
  expect(await form.save('塔机三台')).toBe(409)
  const other = open(given(3, 2))
  lines = ['call is lost']
  await other.save('塔机两台')
  drafts = [{ id: 2, version: 4, title: '同事的塔机' }]
  expect(await other.save('塔机三台')).toBe(409)
  expect(drafts).toEqual([{ id: 2, version: 4, title: '同事的塔机' }])
})

test('a copy whose answer was lost is made once, and the form goes on with it', async () => {
  const form = open(given(3))
  drafts = [{ id: 1, version: 4, title: '同事的塔机' }]
  expect(await form.save('塔机两台')).toBe(409)
  lines = ['answer is lost']
  await form.save('塔机两台', true)
  await form.save('塔机三台')
  await form.save('塔机四台', true)
  expect(drafts.map(({ title }) => title)).toEqual(['同事的塔机', '塔机三台', '塔机四台'])
  lines = ['answer is lost']
  await form.save('塔机五台', true)
  await form.save('塔机六台', true)
  expect(drafts.map(({ title }) => title)).toEqual(['同事的塔机', '塔机三台', '塔机四台', '塔机六台'])
  // Whoever opens the draft again goes on with the draft.
  const again = open({ id: 1, version: 4 })
  lines = ['answer is lost']
  await again.save('塔机七台', true)
  expect(await open({ id: 1, version: 4 }).save('同事的塔机两台')).toEqual({ id: 1, version: 5 })
})

test('a draft that is opened during the save of a form that was left follows it', async () => {
  const { promise: slow, resolve: arrive } = Promise.withResolvers<void>()
  const before = open(given(3))
  lines = [slow]
  const left = before.save('塔机两台')
  const form = open(given(3))
  const saved = form.save('塔机三台')
  arrive()
  expect([await left, await saved]).toEqual([
    { id: 1, version: 4 },
    { id: 1, version: 5 },
  ])
  // One that was read before the last save came through is as old as this tab knows it to be.
  expect(await open({ id: 1, version: 3 }).save('塔机四台')).toEqual({ id: 1, version: 6 })
})

test.each([true, false])('a new demand that is opened again during its first save, answered: %s, stays one draft', async (isAnswered) => {
  const { promise: slow, resolve: end } = Promise.withResolvers<void>()
  const before = open()
  lines = isAnswered ? [slow] : ['answer is lost']
  const left = before.save('吊车')
  if (!isAnswered) await left
  const form = open()
  const saved = form.save('吊车一台')
  end()
  await left
  expect(await saved).toEqual({ id: 1, version: 2 })
  expect(drafts).toEqual([{ id: 1, version: 2, title: '吊车一台' }])
  // The next one is another demand.
  await open().save('压路机')
  expect(drafts).toHaveLength(2)
})

test('what is published takes its draft with it whose first save is under way or got no answer, and waits no longer than it may', async () => {
  const { promise: slow, resolve: end } = Promise.withResolvers<void>()
  const form = open()
  lines = [slow]
  const saved = form.save('吊车')
  const settled = form.settle()
  end()
  for (const draft of [settled, saved]) expect(await draft).toEqual({ id: 1, version: 1 })
  const other = open()
  lines = ['answer is lost']
  await other.save('压路机')
  expect(await other.settle()).toEqual({ id: 2, version: 1 })
  // Where publishing is refused, the draft goes on.
  expect(await other.save('压路机两台')).toEqual({ id: 2, version: 2 })
  const third = open()
  lines = [new Promise(() => undefined)]
  void third.save('平地机')
  vi.useFakeTimers()
  const over = third.settle()
  await vi.advanceTimersByTimeAsync(5000)
  expect(await over).toBeNull()
})

test('rows that were pasted into a new demand stay with its draft once it is saved, and the next new demand begins without them', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  const keyOf = ({ name }: ReturnType<typeof open>) => `${draftPrefix}7:${nameOfPasted(name())}`
  const rows = { rows: '看不懂的\t1' }
  const form = open()
  writeTab(keyOf(form), rows)
  await form.save('吊车')
  expect([readTab(keyOf(form)), readTab(keyOf(open()))]).toEqual([rows, undefined])
  // Neither a later save nor that of a form that goes on with the draft, into which nothing was pasted, deletes them.
  await form.save('吊车两台')
  expect(readTab(keyOf(open({ id: 1, version: 2 })))).toEqual(rows)
  await form.save('吊车三台', true)
  expect([form.name(), readTab(keyOf(form)), stored.size]).toEqual(['demand-2', rows, 1])
})

test('a draft that is opened again is read once the saves under way are answered', async () => {
  const { promise: slow, resolve: end } = Promise.withResolvers<void>()
  const form = open(given(3))
  lines = [slow]
  const saved = form.save('塔机两台')
  const titleRead = draftAnswered(1).then(() => drafts[0]?.title)
  await new Promise((done) => setTimeout(done, 0))
  end()
  expect([await titleRead, await saved]).toEqual(['塔机两台', { id: 1, version: 4 }])
  // Nothing is waited for where nothing is saved.
  await draftAnswered(1)
})
