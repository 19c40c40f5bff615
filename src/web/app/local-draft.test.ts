import { expect, test } from 'vitest'
import { sortedJson } from '#shared/sorted-json.ts'
import { keepTypedLater, openDraft, readDraft, stateOf, writeDraft } from './local-draft.ts'

function memory() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}
const same = <V>(values: V): V => values
const dayMs = 86_400_000
const base = JSON.stringify({ brand: '' })

test('what was typed is there again after a reload, for two weeks', () => {
  const store = memory()
  expect(writeDraft(store, 'draft:1:machine', { base, at: 0, values: { brand: '徐工' } })).toBe(true)
  expect(readDraft(store, 'draft:1:machine', dayMs)).toEqual({ base, at: 0, values: { brand: '徐工' } })
  expect(readDraft(store, 'draft:1:machine', 14 * dayMs)).toBeNull()
  expect(store.items.size).toBe(0)
})

test('a form that is as it started leaves no draft', () => {
  const store = memory()
  writeDraft(store, 'draft:1:machine', { base, at: 0, values: { brand: '徐工' } })
  writeDraft(store, 'draft:1:machine', { base, at: 1, values: { brand: '' } })
  expect(store.items.size).toBe(0)
})

test('a full storage is said, and a broken draft is deleted', () => {
  const store = memory()
  const full = {
    ...store,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  expect(writeDraft(full, 'draft:1:machine', { base, at: 0, values: { brand: '徐工' } })).toBe(false)
  store.items.set('draft:1:machine', '{"base":')
  expect(readDraft(store, 'draft:1:machine', 0)).toBeNull()
  expect(store.items.size).toBe(0)
})

test('what is typed after a save that is answered once the form was left stays, and what was sent goes', () => {
  const store = memory()
  const key = 'draft:1:machine'
  const left = (brand: string) => writeDraft(store, key, { base, at: 0, values: { brand } })
  const form = { from: key, at: 0, convert: same }
  const saved = { sent: { brand: '徐工' }, start: { brand: '徐工' } }
  left('徐工')
  keepTypedLater(store, { ...form, to: key }, saved, 0)
  expect(store.items.size).toBe(0)
  left('徐工二号')
  keepTypedLater(store, { ...form, to: key }, saved, 0)
  const typedLater = { base: '{"brand":"徐工"}', at: 0, values: { brand: '徐工二号' } }
  expect(readDraft(store, key, 0)).toEqual(typedLater)
  left('徐工二号')
  keepTypedLater(store, { ...form, to: `${key}-7` }, saved, 0)
  expect([...store.items.keys()]).toEqual([`${key}-7`])
  expect(readDraft(store, `${key}-7`, 0)).toEqual(typedLater)
})

test('the draft of a record that was just made has what the form of the record has, which goes on with it', () => {
  const store = memory()
  const [key, record] = ['draft:1:person-new', 'draft:1:person-7']
  const sent = { name: '何样本', userName: 'yangben' }
  const form = { from: key, to: record, at: 5, convert: (values: typeof sent) => ({ ...values, userName: '' }) }
  const typedLater = (change: Partial<typeof sent>) => {
    writeDraft(store, key, { base: '{"name":"","userName":""}', at: 5, values: { ...sent, ...change } })
    keepTypedLater(store, form, { sent, start: sent }, 6)
    return openDraft(readDraft<typeof sent>(store, record, 6), { name: '何样本', userName: '' }, { version: undefined, carry: same })
  }
  expect(typedLater({ userName: 'z' })).toEqual({ kind: 'none' })
  expect(store.items.size).toBe(0)
  expect(typedLater({ name: '何样板', userName: 'z' })).toEqual({ kind: 'restored', at: 5, values: { name: '何样板', userName: '' } })
})

test('a record that was just made gets nothing of what another new form has stored meanwhile, and its own text is gone from there', () => {
  const store = memory()
  const [key, record] = ['draft:1:unit-new', 'draft:1:unit-7']
  const sent = { name: '一公司' }
  for (const name of ['二公司', '一公司']) {
    writeDraft(store, key, { base: '{"name":""}', at: 9, values: { name } })
    keepTypedLater(store, { from: key, to: record, at: 5, convert: same }, { sent, start: sent }, 10)
    expect([...store.items.keys()]).toEqual(name === sent.name ? [] : [key])
  }
})

test('of a form that is empty again once it was sent stays what was typed after it, and nothing of what was sent', () => {
  const store = memory()
  const key = 'draft:1:question'
  const asked = { sent: { content: '能否夜间进场？' }, start: { content: '' } }
  for (const content of ['能否夜间进场？', '现场有无电源？']) {
    writeDraft(store, key, { base: '{"content":""}', at: 0, values: { content } })
    keepTypedLater(store, { from: key, to: key, at: 0, convert: same }, asked, 0)
    expect(readDraft<typeof asked.sent>(store, key, 0)?.values.content ?? null).toBe(content === asked.sent.content ? null : content)
  }
})

test('a form goes on with a draft of the same state and version; a field that an update has brought changes nothing', () => {
  type Form = { brand: string; note?: string }
  const opened = (found: object, start: Form, version?: string) =>
    openDraft<Form>({ base, at: 0, values: { brand: '徐工' }, ...found }, start, { version, carry: ({ note = '' }) => ({ note }) })
  expect(opened({}, { brand: '' })).toEqual({ kind: 'restored', at: 0, values: { brand: '徐工' } })
  expect(opened({}, { brand: '', note: '' })).toEqual({ kind: 'restored', at: 0, values: { brand: '徐工', note: '' } })
  expect(opened({}, { brand: '三一' })).toEqual({ kind: 'offered', at: 0, values: { brand: '徐工' } })
  for (const odd of ['{"brand":', '2', '""', 'null']) expect(opened({ base: odd }, { brand: '' }).kind).toBe('offered')
  expect(opened({ version: '3' }, { brand: '' }, '3').kind).toBe('restored')
})

test('of a draft of another version is offered what holds without it, if anything does', () => {
  type Form = { brand: string; note: string }
  const opened = (note: string) =>
    openDraft<Form>(
      { base: '{"brand":"","note":""}', version: '3', at: 0, values: { brand: '徐工', note } },
      { brand: '', note: '' },
      {
        version: '4',
        carry: (values) => ({ note: values.note }),
      },
    )
  expect(opened('急')).toEqual({ kind: 'offered', at: 0, values: { brand: '', note: '急' } })
  expect(opened('')).toEqual({ kind: 'none' })
})

test('a draft continues the record it was typed on, and one saved from here whose answer never came', () => {
  const draft = {
    base: '3',
    at: 0,
    values: { brand: '徐工', site: { a: 1, b: 2 } },
    sent: [sortedJson({ site: { a: 1, b: 2 }, brand: '三一' })],
  }
  const record = (brand: string) => ({ brand, site: { b: 2, a: 1 } })
  expect(stateOf(draft, '3', record('中联'))).toBe('restored')
  expect(stateOf(draft, '4', record('三一'))).toBe('restored')
  expect(stateOf(draft, '4', record('中联'))).toBe('offered')
  expect(stateOf(draft, '4', record('徐工'))).toBe('none')
})
