import { expect, test } from 'vitest'
import type { Task, TaskItem, TaskKind } from './panel.ts'
import { firstOf, inOrder } from './todo-order.ts'

const now = '2026-11-23 10:00:00'
const item = (id: string, due: string | null = null): TaskItem => ({
  id,
  title: id,
  detail: '',
  quotes: null,
  since: null,
  due,
  link: `/${id}`,
})
const task = (kind: TaskKind, ...items: TaskItem[]): Task => ({ kind, count: items.length, items, link: null })
const ids = (tasks: Task[]) => inOrder(tasks, now).map((todo) => `${todo.kind} ${todo.item.id}`)

test('what is due within a day comes first, the overdue before it; the rest follows by kind', () => {
  expect(
    ids([
      task('judge', item('a', '2026-12-20'), item('b')),
      task('question', item('c', '2026-11-24 09:00:00')),
      task('drafts', item('d')),
      task('short', item('e', '2026-11-22 10:00:00')),
    ]),
  ).toEqual(['short e', 'question c', 'judge a', 'judge b', 'drafts d'])
})

test('a demand that waits for two reasons stands once', () => {
  expect(ids([task('question', item('a', '2026-11-23 17:00:00')), task('closing', item('a', '2026-11-23 17:00:00'))])).toEqual([
    'question a',
  ])
})

test('the first ones hold what is urgent and one of each kind, in the order of all', () => {
  const many = (kind: TaskKind, ...names: string[]) => task(kind, ...names.map((name) => item(name)))
  const all = inOrder(
    [many('review', 'a', 'b', 'c', 'd'), many('judge', 'e', 'f'), many('question', 'g'), task('short', item('h', now))],
    now,
  )
  const first = (most: number) => firstOf(all, most, now).map((todo) => todo.item.id)
  expect(first(5)).toEqual(['h', 'a', 'b', 'e', 'g'])
  expect(first(2)).toEqual(['h', 'a'])
  expect(first(20)).toEqual(['h', 'a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

test('a demand stands once, also where one of its reasons leads to a part of its page', () => {
  const asked = { ...item('a', now), link: '/a#questions' }
  expect(ids([task('question', asked), task('closing', item('a', now))])).toEqual(['question a'])
})
