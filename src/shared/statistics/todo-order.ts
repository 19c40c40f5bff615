import { fromMoment, hourMs, toMoment } from '../calendar.ts'
import { closingHours } from '../demand/todo.ts'
import type { Task, TaskItem, TaskKind } from './panel.ts'

export type Todo = { kind: TaskKind; item: TaskItem }

/**
 * Everything that waits, in the order in which to do it: first what is due within a day or overdue, then kind by kind. An object that waits for
 * two reasons stands once, under the more pressing one.
 */
export function inOrder(tasks: readonly Task[], now: string): Todo[] {
  const soon = toMoment(new Date(fromMoment(now).getTime() + closingHours * hourMs))
  const isUrgent = ({ item }: Todo) => item.due !== null && item.due <= soon
  const all = tasks.flatMap(({ kind, items }) => items.map((item) => ({ kind, item })))
  const urgent = all.filter(isUrgent).toSorted((a, b) => (a.item.due ?? '').localeCompare(b.item.due ?? ''))
  const seen = new Set<string>()
  return [...urgent, ...all.filter((todo) => !isUrgent(todo))].filter(({ item }) => {
    const key = `${item.link} ${item.id}`
    return !seen.has(key) && seen.add(key)
  })
}
