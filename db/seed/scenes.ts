import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type { Db } from '#server/db/connect.ts'
import { proposeOpen, type Plan } from './amendments.ts'
import { accept, confirm, nameKeeper, scan, send, sendBack, type Hire } from './contract-moves.ts'
import type { Job } from './demands.ts'
import type { SeededMachine } from './fleet.ts'
import { machineClasses } from './machines.ts'
import type { LessorSeed, People, ProjectSeed } from './people.ts'

/**
 * How far a contract has come for whoever signs in to the demo: there is something to do at each. One is awarded before the next is published,
 * so no two of a firm are won with the same machine.
 */
const stages = {
  /** The project sends it. */
  drafted: { award: 44, accept: 40 },
  /** The lessor answers. */
  sent: { award: 84, accept: 80, send: 20 },
  /** The project reads the comment on a clause and sends it anew. */
  returned: { award: 124, accept: 118, send: 70, sendBack: 9 },
  /** The project compares the scan, the lessor answers the amendment. */
  lessorScanned: { award: 220, accept: 214, send: 190, confirm: 170, scan: [30, 'lessor'], change: [12, 'lessee'] },
  /** The lessor compares the scan, the project answers the amendment. */
  lesseeScanned: { award: 260, accept: 254, send: 230, confirm: 205, scan: [28, 'lessee'], change: [14, 'lessor'] },
} as const satisfies Record<string, StageHours>
export type Stage = keyof typeof stages

type Side = 'lessee' | 'lessor'
/** Hours before the start of the demo, and whose scan and amendment wait for the other side. */
type StageHours = {
  award: number
  accept: number
  send?: number
  sendBack?: number
  confirm?: number
  scan?: readonly [hours: number, by: Side]
  change?: readonly [hours: number, by: Side]
}

const hour = 3_600_000
/** From the publication to the award, and to the deadline before it. */
const [openHours, quotedHours] = [32, 26]

/** The demands whose contracts wait for the demo's people: its project and first lessor, its second lessor, and a third pair. */
export function scenesOf({ projects, lessors }: People, now: Date): (Job & { fits: number })[] {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hour)
  const all = Object.keys(stages) as Stage[]
  // Each lessor with a project of their city.
  const pairs: [ProjectSeed | undefined, LessorSeed | undefined, readonly Stage[]][] = [
    [projects[0], lessors[0], all],
    [projects[6], lessors[1], all],
    [projects[8], lessors[7], ['drafted', 'sent']],
  ]
  return pairs.flatMap(([project, lessor, wanted]) =>
    project && lessor
      ? wanted.map((stage) => {
          const published = stages[stage].award + openHours
          const deadline = hoursAgo(published - quotedHours)
          const scene = { stage, awardedAt: hoursAgo(stages[stage].award) }
          return {
            ending: 'awarded' as const,
            at: hoursAgo(published),
            project,
            deadline,
            wish: 'earth' as const,
            fits: lessor.companyId,
            scene,
          }
        })
      : [],
  )
}

/** How many of a firm's machines wait for its scenes. */
const keptForScenes = 8

/**
 * Machines of the firms that people of the demo act for. Nobody offers them but in a scene, so every start has one for each, whatever the dice and
 * the hour give.
 */
export function keepMachines(people: People, machines: readonly SeededMachine[], now: Date): Map<number, SeededMachine[]> {
  const firms = new Set(scenesOf(people, now).map(({ fits }) => fits))
  const old = now.getTime() - 20 * 24 * hour
  const fit = machines.filter(
    ({ companyId, standing, input, created }) =>
      firms.has(companyId) &&
      standing === 'shelf' &&
      !input.isLot &&
      created.getTime() < old &&
      input.prices.some(({ rentUnit, price }) => rentUnit === 'M' && price !== null) &&
      lineOf(input) !== undefined,
  )
  return new Map([...firms].map((firm) => [firm, fit.filter(({ companyId }) => companyId === firm).slice(0, keptForScenes)]))
}

/** A machine as a line of a demand. */
const lineOf = (input: SeededMachine['input']): [category: number, value: number] | undefined => {
  const found = machineClasses.find(({ category, value }) => category === input.categoryId && Object.values(input.specs).includes(value))
  return found && [found.category, found.value]
}

/** A machine of these that nobody has booked, as a line of a demand. */
export async function freeLine(
  db: Db,
  machines: readonly SeededMachine[],
  at: Date,
): Promise<[category: number, value: number] | undefined> {
  const booked = await db
    .selectFrom('equipmentBooking')
    .where(
      'equipmentId',
      'in',
      machines.map(({ id }) => id),
    )
    .where(sql<boolean>`upper(period) > ${dayOf(at)}::date`)
    .select('equipmentId')
    .execute()
  const taken = new Set(booked.map(({ equipmentId }) => equipmentId))
  const free = machines.find(({ id }) => !taken.has(id))
  return free && lineOf(free.input)
}

/** Plans the steps of a contract up to its stage. */
export function planStage(hire: Hire, plan: Plan, { stage, now }: { stage: Stage; now: Date }): void {
  const hours: StageHours = stages[stage]
  const at = (ago: number) => new Date(now.getTime() - ago * hour)
  plan(at(hours.accept), (time) => accept(hire, time))
  if (hours.send) plan(at(hours.send), (time) => send(hire, time))
  if (hours.sendBack) plan(at(hours.sendBack), (time) => sendBack(hire, time))
  const { confirm: confirmed } = hours
  if (confirmed)
    plan(at(confirmed), async (time) => {
      const { id, planEnd } = await confirm(hire, time)
      const { scan: scanned, change } = hours
      plan(at(confirmed - 2), (later) => nameKeeper(hire, later))
      if (scanned) plan(at(scanned[0]), (later) => scan(hire, later, scanned[1]))
      if (change) plan(at(change[0]), (later) => proposeOpen(hire, later, { id, planEnd, today: dayOf(later), side: change[1] }))
    })
}
