import type { InternalMachineInput } from '#shared/internal/contract.ts'
import type { TransferMove } from '#shared/internal/rules.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import { transact } from '#server/deed.ts'
import { askTransfer, moveTransfer, saveInternal } from '#server/internal/moves.ts'
import type { Services } from '#server/services.ts'
import { actorOf } from './actors.ts'
import type { People } from './people.ts'
import type { Timeline } from './timeline.ts'

type Idle = {
  machine: Pick<InternalMachineInput, 'fatherCategoryId' | 'categoryId' | 'name' | 'brand' | 'model' | 'mainValue' | 'emissionStage'>
  /** In yuan for a month; null is free of charge. */
  price: number | null
  /** The place of the project in whose yard it stands. */
  project: number
  daysAgo: number
  /** Another project asks for it: the days from the offer to the request, those from today to the entry and the exit, and what follows with its days after the request. */
  asked?: { days: number; from: number; to: number; moves: readonly (readonly [move: TransferMove, days: number])[] }
}

const machines: readonly Idle[] = [
  {
    machine: {
      fatherCategoryId: 200,
      categoryId: 201,
      name: '中联 TC6013A-6 塔吊',
      brand: '中联',
      model: 'TC6013A-6',
      mainValue: 80,
      emissionStage: 'none',
    },
    price: 9000,
    project: 2,
    daysAgo: 78,
    asked: {
      days: 10,
      from: -60,
      to: -5,
      moves: [
        ['agree', 2],
        ['receive', 9],
      ],
    },
  },
  {
    machine: {
      fatherCategoryId: 200,
      categoryId: 203,
      name: '徐工 XCT25L5 汽车起重机',
      brand: '徐工',
      model: 'XCT25L5',
      mainValue: 25,
      emissionStage: 'none',
    },
    price: 12_000,
    project: 1,
    daysAgo: 12,
    asked: { days: 6, from: 20, to: 80, moves: [] },
  },
  {
    machine: {
      fatherCategoryId: 300,
      categoryId: 301,
      name: '鼎力 JCPT1412DC 剪叉车',
      brand: '鼎力',
      model: 'JCPT1412DC',
      mainValue: 12,
      emissionStage: 'electric',
    },
    price: null,
    project: 3,
    daysAgo: 10,
  },
  {
    machine: {
      fatherCategoryId: 600,
      categoryId: 601,
      name: '徐工 XS223J 压路机',
      brand: '徐工',
      model: 'XS223J',
      mainValue: 22,
      emissionStage: '3',
    },
    price: 8000,
    project: 5,
    daysAgo: 9,
  },
  {
    machine: {
      fatherCategoryId: 1000,
      categoryId: 1001,
      name: '玉柴 YC300GF 发电机组',
      brand: '玉柴',
      model: 'YC300GF',
      mainValue: 300,
      emissionStage: '3',
    },
    price: null,
    project: 6,
    daysAgo: 8,
  },
]

const dayMs = 86_400_000

/** Plans which machines of the group stand idle, and which of them the demo's project asks for: one is received, one waits for its giver. */
export function planIdle(services: Services, { projects }: People, { now, timeline }: { now: Date; timeline: Timeline }): void {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  for (const { machine, price, project: place, daysAgo, asked } of machines) {
    const [giver, taker] = [projects[place], projects[0]]
    if (!giver || !taker) continue
    const { provinceId, cityId } = giver.city
    timeline.add(ago(daysAgo), async (at) => {
      const lessee = await actorOf(services.db, { userName: 'lessee' })
      const offer = {
        ...machine,
        deptId: giver.deptId,
        provinceId,
        cityId,
        place: '项目部停放场',
        innerPrice: price === null ? null : price * 100,
        freeFrom: dayOf(at),
        freeTo: addDays(dayOf(now), 400),
        note: '保养记录齐全，可随时调出',
      }
      const { id } = await transact(services, { actor: lessee, now: at }, (deed) => saveInternal(deed, offer))
      if (!asked) return
      const today = dayOf(now)
      const ask = { machineId: id, deptId: taker.deptId, from: addDays(today, asked.from), to: addDays(today, asked.to), note: '' }
      timeline.add(ago(daysAgo - asked.days), async (time) => {
        const project = await actorOf(services.db, { id: taker.accountId })
        const transfer = await transact(services, { actor: project, now: time }, (deed) => askTransfer(deed, ask))
        for (const [move, days] of asked.moves)
          timeline.add(ago(daysAgo - asked.days - days), (later) =>
            transact(services, { actor: move === 'agree' ? lessee : project, now: later }, (deed) =>
              moveTransfer(deed, { id: transfer.id, move, ...(move === 'agree' && { transportBy: 'to' as const, transportFen: 360_000 }) }),
            ),
          )
      })
    })
  }
}
