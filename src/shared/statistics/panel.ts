import { z } from 'zod'
import { OwnDemandCard } from '../demand/contract.ts'
import { demandTodos } from '../demand/todo.ts'
import type { Endpoint } from '../endpoint.ts'
import { paging, YuanOut } from '../fields.ts'
import { transferTodos } from '../internal/rules.ts'
import { waitingKinds } from '../system/contract.ts'

/** Of contracts, for both sides: each where this person may do it now. */
export const contractTodos = [
  'contractConfirm',
  'contractReturn',
  'contractReturned',
  'contractSend',
  'contractApprove',
  'contractChangeApprove',
  'contractChange',
  'contractScan',
  'contractNeedsScan',
] as const
export type ContractTodo = (typeof contractTodos)[number]

const lesseeTasks = [...demandTodos, ...transferTodos, 'drafts'] as const
const lessorTasks = ['confirm', 'won', 'hearing', 'returned', 'papers', 'recommended', 'offShelf'] as const
/** Of the operators. The applications are called `review` here, because organisations review them too. */
const operatorTasks = waitingKinds.filter((kind) => kind !== 'certification')
/** Everything that may wait for somebody, the most pressing first. */
export const taskKinds = ['certify', 'review', ...contractTodos, ...lessorTasks, ...operatorTasks, ...lesseeTasks, 'answered'] as const
export type TaskKind = (typeof taskKinds)[number]

const TaskItem = z.object({
  id: z.string(),
  /** The object's own name; empty where it has none yet. */
  title: z.string(),
  /** That of a machine in English. */
  titleEn: z.string().optional(),
  /** What distinguishes it: a project, a question, a code. */
  detail: z.string(),
  /** How many have quoted; null where that says nothing. */
  quotes: z.number().nullable(),
  /** A moment since which it waits. */
  since: z.string().nullable(),
  /** A moment or a day by which it is to be done. */
  due: z.string().nullable(),
  link: z.string(),
})
export type TaskItem = z.output<typeof TaskItem>

/** At most this many objects are named for each kind; `count` has all. */
export const itemsPerTask = 20

const Task = z.object({
  kind: z.enum(taskKinds),
  count: z.number(),
  items: z.array(TaskItem),
  /** The list of exactly these objects; null where no list has this filter. */
  link: z.string().nullable(),
})
export type Task = z.output<typeof Task>

export const getWorkPanel = {
  method: 'GET',
  url: '/business/statistics/workPanel',
  summary: 'What waits for the person, object by object',
  access: 'account',
  form: 'data',
  answer: z.object({ tasks: z.array(Task) }),
} as const satisfies Endpoint

const panelFigures = [
  'demands',
  'quotesPerDemand',
  'savedOnMean',
  'daysToAward',
  'utilisation',
  'quotes',
  'winRate',
  'papers',
  'reviewHours',
] as const
export type PanelFigure = (typeof panelFigures)[number]

/** The figures of a panel are those of this many days, and of as many days before. Their courses have a point for each week. */
export const panelDays = 30
export const courseWeeks = 12

export const getWorkFigures = {
  method: 'GET',
  url: '/business/statistics/workFigures',
  summary: 'Four figures of the last 30 days with those of the 30 days before and their course over twelve weeks, by kind of user',
  access: 'account',
  form: 'data',
  answer: z.array(
    z.object({
      key: z.enum(panelFigures),
      value: z.number().nullable(),
      before: z.number().nullable(),
      course: z.array(z.number().nullable()),
      /** The rows that the figure counts; null where no list has exactly these. */
      link: z.string().nullable(),
    }),
  ),
} as const satisfies Endpoint
export type WorkFigure = z.output<typeof getWorkFigures.answer>[number]

const calendarKinds = ['deadline', 'entry', 'exit', 'papers'] as const
export type CalendarKind = (typeof calendarKinds)[number]
export const calendarDays = 14
/** A calendar with more dates than this ends early and says so. */
export const maxDates = 200

const CalendarDate = z.object({
  day: z.string(),
  /** Of a deadline. */
  time: z.string().nullable(),
  kind: z.enum(calendarKinds),
  title: z.string(),
  /** That of a machine in English. */
  titleEn: z.string().optional(),
  link: z.string(),
})
export type CalendarDate = z.output<typeof CalendarDate>

export const getWorkCalendar = {
  method: 'GET',
  url: '/business/statistics/workCalendar',
  summary: 'Deadlines, entries, exits and papers that expire in the next two weeks',
  access: 'account',
  form: 'data',
  answer: z.object({ from: z.string(), dates: z.array(CalendarDate) }),
} as const satisfies Endpoint

/** Why an auditor looks at an opened demand. */
export const exceptionKinds = ['single', 'overCeiling', 'sameDay', 'samePhone'] as const
export type ExceptionKind = (typeof exceptionKinds)[number]
/** Exceptions are looked for among the demands opened within this many days. */
export const exceptionDays = 180

export const listExceptions = {
  method: 'GET',
  url: '/business/statistics/exceptions',
  summary: 'Opened demands that an auditor looks at, the newest first, with the reasons',
  // One of them is a price above a ceiling, which the platform's people do not read (domain 1.19).
  access: 'exceptions:view',
  form: 'list',
  query: z.object({ ...paging(), kind: z.union([z.literal('').transform(() => undefined), z.enum(exceptionKinds)]).optional() }),
  answer: OwnDemandCard.extend({ openTime: z.string(), net: YuanOut.nullable(), kinds: z.array(z.enum(exceptionKinds)) }),
} as const satisfies Endpoint
