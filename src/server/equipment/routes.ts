import { dayOf } from '#shared/calendar.ts'
import {
  compareEquipment,
  getPublicEquipment,
  listBrands,
  listOwnEquipment,
  listPublicEquipment,
  setShelf,
} from '#shared/equipment/contract.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import { companyOf } from '../account/scope.ts'
import * as machines from './queries.ts'

export function equipmentRoutes(api: Api): void {
  api.handle(listPublicEquipment, ({ query }, { db }) => machines.findShelvedEquipment(db, query))

  api.handle(listBrands, ({ query }, { db }) => machines.findBrands(db, query))

  api.handle(compareEquipment, async ({ query }, { db }) => {
    const found = new Map((await machines.findShelvedByIds(db, query.ids)).map((machine) => [machine.id, machine]))
    return [...new Set(query.ids)].flatMap((id) => found.get(id) ?? [])
  })

  api.handle(getPublicEquipment, async ({ params }, { db, now }) => {
    const machine = await machines.findShelvedMachine(db, params.id, dayOf(now))
    if (!machine) throw new Refusal('not_found')
    return machine
  })

  api.handle(listOwnEquipment, ({ query }, { db, actor, now }) => machines.findOwnEquipment(db, companyOf(actor), query, dayOf(now)))

  api.handle(setShelf, async ({ params, body }, { db, actor, now }) => {
    const done = await machines.setShelf(db, companyOf(actor), params.id, body.shelfStatus, dayOf(now), now)
    if (done === null) throw new Refusal('not_found')
    if (!done) throw new Refusal('shelf_blocked')
    return null
  })
}
