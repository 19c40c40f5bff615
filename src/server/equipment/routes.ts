import { dayOf } from '#shared/calendar.ts'
import {
  compareEquipment,
  getPublicEquipment,
  listBrands,
  listOwnEquipment,
  listPublicEquipment,
  setShelf,
} from '#shared/equipment/contract.ts'
import * as imports from '#shared/equipment/import.ts'
import * as own from '#shared/equipment/own.ts'
import type { DocumentKind } from '#shared/equipment/rules.ts'
import type { EquipmentInput } from '#shared/equipment/upload.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Api } from '../http/api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { companyOf } from '../account/scope.ts'
import { addBlock, removeBlock } from './blocks.ts'
import * as fleet from './own.ts'
import * as machines from './queries.ts'
import * as importing from './import.ts'
import * as review from './review.ts'
import * as upload from './upload.ts'

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

  api.handle(listOwnEquipment, ({ query }, { db, actor, now }) => fleet.findOwnEquipment(db, companyOf(actor), query, dayOf(now)))

  api.handle(setShelf, async ({ params, body }, { db, actor, now }) => {
    const done = await fleet.setShelf(db, companyOf(actor), params.id, body.shelfStatus, dayOf(now), now)
    if (done === null) throw new Refusal('not_found')
    if (!done) throw new Refusal('shelf_blocked')
    return null
  })

  api.handle(own.getOwnEquipment, async ({ params }, { db, actor, now, locale }) => {
    const machine = await fleet.findOwnMachine(db, params.id, companyOf(actor), dayOf(now))
    if (!machine) throw new Refusal('not_found')
    // Whose the other machine is with the same number is for the reviewer to know.
    return written({ ...machine, duplicates: [] }, textOf(locale))
  })

  api.handle(own.addEquipment, ({ body }, { db, actor, now }) => upload.addMachine(db, actor, body, now))

  api.handle(own.editEquipment, ({ body }, { db, actor, now }) => upload.editMachine(db, actor, body, now))

  api.handle(own.confirmEquipment, async ({ body }, { db, actor, now }) => ({
    confirmed: await upload.confirmMachines(db, companyOf(actor), body.ids, now),
  }))

  api.handle(own.withdrawEquipment, async ({ params }, { db, actor, now }) => {
    await upload.withdrawMachine(db, actor, params.id, now)
    return null
  })

  api.handle(own.deleteEquipment, async ({ params }, { db, actor, now }) => {
    await upload.deleteMachine(db, actor, params.id, now)
    return null
  })

  api.handle(own.retireEquipment, async ({ params }, { db, actor, now }) => {
    await upload.retireMachine(db, actor, params.id, now)
    return null
  })

  api.handle(own.addBlock, async ({ params, body }, { db, actor, now }) => ({ blockId: await addBlock(db, actor, params.id, body, now) }))

  api.handle(own.removeBlock, async ({ params }, { db, actor, now }) => {
    await removeBlock(db, actor, params.id, params.blockId, now)
    return null
  })

  api.handle(imports.importTemplate, ({ query }, { db, locale }) => importing.templateOf(db, query.fatherCategoryId, textOf(locale)))

  api.handle(imports.importData, async (_, { db, actor, upload: receive, now }) => {
    const sent = await receive?.()
    if (!sent) throw new Refusal('bad_request')
    return { importId: await importing.startImport(db, actor, sent, now) }
  })

  api.handle(imports.listImports, ({ query }, { db, actor }) => importing.findImports(db, companyOf(actor), query))

  api.handle(imports.getImport, ({ params }, { db, actor, locale, now }) => importing.findImport(db, actor, params.id, textOf(locale), now))

  api.handle(imports.repairImport, async ({ params, body }, { db, actor, locale, now }) => {
    await importing.repairImport(db, actor, params.id, body.rows)
    return importing.findImport(db, actor, params.id, textOf(locale), now)
  })

  api.handle(imports.acceptImport, async ({ params }, { db, actor, locale, now }) => ({
    added: await importing.acceptImport(db, actor, params.id, textOf(locale), now),
  }))

  api.handle(imports.undoImport, ({ params }, { db, actor, now }) => importing.undoImport(db, actor, params.id, now))

  api.handle(imports.importWorkbook, ({ params }, { db, actor, locale, now }) =>
    importing.errorWorkbook(db, actor, params.id, textOf(locale), now),
  )

  api.handle(own.listReviews, ({ query }, { db }) => review.findReviews(db, query))

  api.handle(own.getReview, async ({ params }, { db, now, locale }) => {
    const machine = await fleet.findOwnMachine(db, params.id, null, dayOf(now))
    if (!machine || (machine.auditStatus === '0' && machine.change === null)) throw new Refusal('not_found')
    return written(machine, textOf(locale))
  })

  api.handle(own.passEquipment, async ({ params, body }, { db, hub, actor, now }) => {
    await review.passMachine(db, hub, actor, params.id, body.version, now)
    return null
  })

  api.handle(own.rejectEquipment, async ({ params, body }, { db, hub, actor, now }) => {
    await review.rejectMachine(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(own.passEquipmentBatch, async ({ body }, { db, hub, actor, now, locale }) => {
    const words = textOf(locale).refusal
    const { passed, left } = await review.passMachines(db, hub, actor, body.machines, now)
    return { passed, left: left.map(({ id, code }) => ({ id, msg: words[code] })) }
  })

  api.handle(own.confirmTrusted, async ({ params }, { db, actor, now }) => {
    await review.confirmTrusted(db, actor, params.id, now)
    return null
  })

  api.handle(own.takeEquipmentDown, async ({ params, body }, { db, hub, actor, now }) => {
    await review.takeMachineDown(db, hub, actor, params.id, body.reason, now)
    return null
  })

  api.handle(own.restoreEquipment, async ({ params }, { db, hub, actor, now }) => {
    await review.restoreMachine(db, hub, actor, params.id, now)
    return null
  })
}

/** A requested change as pairs of texts, field by field. */
function written(machine: fleet.Machine, text: Text) {
  const { change } = machine
  if (!change) return { ...machine, change: null }
  const words = text.equipment.upload.fields as Record<string, string>
  const say = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '—'
    if (Array.isArray(value))
      return (value as { kind: DocumentKind; number: string; validTo: string | null }[])
        .map(({ kind, number, validTo }) => [text.equipment.document[kind], number, validTo].filter(Boolean).join(' '))
        .join('; ')
    if (typeof value === 'object')
      return Object.entries(value)
        .map(([key, inner]) => `${key} ${String(inner)}`)
        .join(', ')
    return String(value as string)
  }
  return {
    ...machine,
    change: {
      id: change.id,
      status: change.status,
      submitTime: change.submitTime,
      reason: change.reason,
      fields: Object.keys(change.after).map((field) => ({
        field: words[field] ?? field,
        before: say(change.before[field as keyof EquipmentInput]),
        after: say(change.after[field as keyof EquipmentInput]),
      })),
    },
  }
}
