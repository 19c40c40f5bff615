import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, dayOf, fromMoment, hourMs, toMoment } from '#shared/calendar.ts'
import { certificationKinds } from '#shared/certification/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { getWorkPanel, type Task, type TaskItem } from '#shared/statistics/panel.ts'
import { firstOf, inOrder, type Todo } from '#shared/statistics/todo-order.ts'
import { jobNames } from '#shared/system/contract.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { call } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { remaining } from '../app/format.ts'
import { Loaded } from '../app/list-frame.tsx'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Empty, Tag } from '../ui/parts.tsx'
import './todo-list.css'

const shownAtFirst = 8

/** What waits for the person, object by object, each with one button; below it the lists by kind. A new message fetches it again. */
export function TodoList() {
  const words = useText().statistics.panel
  const { messageChanges } = useSession()
  const panel = useQuery({
    queryKey: [getWorkPanel.url, messageChanges],
    queryFn: () => call(getWorkPanel, {}),
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  })
  return (
    <section className="panel stack" aria-labelledby="todo-title">
      <div>
        <h2 id="todo-title">{words.today}</h2>
        <p className="small soft">{words.lead}</p>
      </div>
      <Loaded query={panel} rows={5}>
        {({ tasks }) => (tasks.length > 0 ? <Todos tasks={tasks} /> : <Empty title={words.nothing} hint={words.nothingHint} />)}
      </Loaded>
    </section>
  )
}

function Todos({ tasks }: { tasks: readonly Task[] }) {
  const words = useText().statistics.panel
  const [all, setAll] = useState(false)
  const now = new Date()
  const todos = inOrder(tasks, toMoment(now))
  const listed = tasks.flatMap(({ kind, count, link }) => (link === null ? [] : [{ kind, count, link }]))
  return (
    <>
      <ul className="todos">
        {(all ? todos : firstOf(todos, shownAtFirst, toMoment(now))).map((todo) => (
          <TodoRow key={`${todo.kind} ${todo.item.id}`} todo={todo} now={now} />
        ))}
      </ul>
      {todos.length > shownAtFirst && (
        <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? words.fewer : words.rest(todos.length - shownAtFirst)}
        </button>
      )}
      {listed.length > 0 && (
        <nav className="row gap-8" aria-label={words.lists}>
          {listed.map(({ kind, count, link }) => (
            <Link key={kind} className="button button-small" to={link}>
              {words.kinds[kind][2]} <strong className="num">{count}</strong>
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}

function TodoRow({ todo: { kind, item }, now }: { todo: Todo; now: Date }) {
  const text = useText()
  const words = text.statistics.panel
  const [what, button] = words.kinds[kind]
  const title = titleOf(text, kind, item)
  const due = dueOf(text, kind, item, now)
  const facts = [detailOf(text, item), item.quotes === null ? '' : words.quotes(item.quotes), waitedOf(text, item, now)]
  return (
    <li className="todo">
      <Tag tone={due.isUrgent ? 'warn' : 'blue'}>{what}</Tag>
      <div className="todo-what">
        <p className="todo-title">{title}</p>
        <p className="small faint">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <span className={`small num ${due.isUrgent ? 'demand-left' : 'faint'}`}>{due.words}</span>
      <Link
        className="button button-small"
        to={item.link}
        aria-label={`${what.startsWith(button) ? '' : `${button}${colon(text)}`}${what} ${title}`}
      >
        {button}
      </Link>
    </li>
  )
}

function titleOf(text: Text, kind: Task['kind'], { title, titleEn = title, detail }: TaskItem): string {
  if (kind === 'certify') return text.account.personal.certifyText
  if (isAmong(detail, jobNames)) return text.admin.jobs.names[detail]
  return nameIn(text, title, titleEn) || text.statistics.panel.untitled
}

/** A job is named by its title, and an application says of which kind it is. */
function detailOf(text: Text, { detail }: TaskItem): string {
  if (isAmong(detail, jobNames)) return ''
  return isAmong(detail, certificationKinds) ? text.certification.kinds[detail] : detail
}

function waitedOf(text: Text, { since }: TaskItem, now: Date): string {
  if (since === null) return ''
  const hours = Math.max(0, Math.floor((now.getTime() - fromMoment(since).getTime()) / hourMs))
  return text.statistics.panel.waited(Math.floor(hours / 24), hours % 24)
}

/** A moment counts down; a day is named, because whoever works with it thinks in days. That of a machine document ends it. */
function dueOf(text: Text, kind: Task['kind'], { due }: TaskItem, now: Date): { words: string; isUrgent: boolean } {
  const words = text.statistics.panel
  if (due === null) return { words: '', isUrgent: false }
  if (due.length === 10) {
    const today = dayOf(now)
    if (due < today) return { words: words.overdue, isUrgent: true }
    return { words: words[kind === 'papers' ? 'until' : 'by'](due), isUrgent: due <= addDays(today, 3) }
  }
  const left = remaining(text, due, now.getTime())
  return { words: left ?? words.overdue, isUrgent: due < toMoment(new Date(now.getTime() + 24 * hourMs)) }
}
