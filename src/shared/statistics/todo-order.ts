import { fromMoment, hourMs, toMoment } from '../calendar.ts'
import { closingHours } from '../demand/todo.ts'
import type { Task, TaskItem, TaskKind } from './panel.ts'

export type Todo = { kind: TaskKind; item: TaskItem }

/**
 * Everything that waits, in the order in which to do it: first what is due within a day or overdue, then kind by kind. An object that waits for
 * two reasons stands once, under the more pressing one.
 */
export function inOrder(tasks: readonly Task[], now: string): Todo[] {
  const isUrgent = urgentAt(now)
  const all = tasks.flatMap(({ kind, items }) => items.map((item) => ({ kind, item })))
  const urgent = all.filter(isUrgent).toSorted((a, b) => (a.item.due ?? '').localeCompare(b.item.due ?? ''))
  const seen = new Set<string>()
  return [...urgent, ...all.filter((todo) => !isUrgent(todo))].filter(({ item }) => {
    const key = `${item.link.replace(/#.*/, '')} ${item.id}`
    return !seen.has(key) && seen.add(key)
  })
}

/**
 * Those that are shown before somebody asks for all, in the same order: what is urgent, then the most pressing one of each kind, so that no kind is
 * out of sight, then the others.
 */
export function firstOf(todos: readonly Todo[], most: number, now: string): Todo[] {
  const heads = todos.filter(({ kind }, at) => todos.findIndex((todo) => todo.kind === kind) === at)
  const shown = new Set([...new Set([...todos.filter(urgentAt(now)), ...heads, ...todos])].slice(0, most))
  return todos.filter((todo) => shown.has(todo))
}

function urgentAt(now: string): (todo: Todo) => boolean {
  const soon = toMoment(new Date(fromMoment(now).getTime() + closingHours * hourMs))
  return ({ item }) => item.due !== null && item.due <= soon
}
