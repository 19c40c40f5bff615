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
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { companyOf } from '../actor/scope.ts'
import { addBlock, removeBlock } from './blocks.ts'
import * as fleet from './own.ts'
import * as machines from './queries.ts'
import * as importing from './import.ts'
import * as review from './review.ts'
import * as upload from './upload.ts'

export function equipmentRoutes(api: Api): void {
  api.handle(listPublicEquipment, ({ db }, { query }) => machines.findShelvedEquipment(db, query))

  api.handle(listBrands, ({ db }, { query }) => machines.findBrands(db, query))

  api.handle(compareEquipment, async ({ db }, { query }) => {
    const found = new Map((await machines.findShelvedByIds(db, query.ids)).map((machine) => [machine.id, machine]))
    return [...new Set(query.ids)].flatMap((id) => found.get(id) ?? [])
  })

  api.handle(getPublicEquipment, async ({ db, now }, { params }) => {
    const machine = await machines.findShelvedMachine(db, params.id, dayOf(now))
    if (!machine) throw new Refusal('not_found')
    return machine
  })

  api.handle(listOwnEquipment, ({ db, actor, now }, { query }) => fleet.findOwnEquipment(db, companyOf(actor), query, dayOf(now)))

  api.handle(setShelf, async ({ db, actor, now }, { params, body }) => {
    const done = await fleet.setShelf(db, companyOf(actor), params.id, body.shelfStatus, dayOf(now), now)
    if (done === null) throw new Refusal('not_found')
    if (!done) throw new Refusal('shelf_blocked')
    return null
  })

  api.handle(own.getOwnEquipment, async ({ db, actor, now, locale }, { params }) => {
    const machine = await fleet.findOwnMachine(db, params.id, companyOf(actor), dayOf(now))
    if (!machine) throw new Refusal('not_found')
    // Whose the other machine is with the same number is for the reviewer to know.
    return written({ ...machine, duplicates: [] }, textOf(locale))
  })

  api.handle(own.addEquipment, ({ db, actor, now }, { body }) => upload.addMachine(db, actor, body, now))

  api.handle(own.editEquipment, ({ db, actor, now }, { body }) => upload.editMachine(db, actor, body, now))

  api.handle(own.confirmEquipment, async ({ db, actor, now }, { body }) => ({
    confirmed: await upload.confirmMachines(db, companyOf(actor), body.ids, now),
  }))

  api.handle(own.withdrawEquipment, async ({ db, actor, now }, { params }) => {
    await upload.withdrawMachine(db, actor, params.id, now)
    return null
  })

  api.handle(own.deleteEquipment, async ({ db, actor, now }, { params }) => {
    await upload.deleteMachine(db, actor, params.id, now)
    return null
  })

  api.handle(own.retireEquipment, async ({ db, actor, now }, { params }) => {
    await upload.retireMachine(db, actor, params.id, now)
    return null
  })

  api.handle(own.addBlock, async ({ db, actor, now }, { params, body }) => ({ blockId: await addBlock(db, actor, params.id, body, now) }))

  api.handle(own.removeBlock, async ({ db, actor, now }, { params }) => {
    await removeBlock(db, actor, params.id, params.blockId, now)
    return null
  })

  api.handle(imports.importTemplate, ({ db, locale }, { query }) => importing.templateOf(db, query.fatherCategoryId, textOf(locale)))

  api.handle(imports.importData, async ({ db, actor, upload: receive, now }) => {
    const sent = await receive?.()
    if (!sent) throw new Refusal('bad_request')
    return { importId: await importing.startImport(db, actor, sent, now) }
  })

  api.handle(imports.listImports, ({ db, actor }, { query }) => importing.findImports(db, companyOf(actor), query))

  api.handle(imports.getImport, ({ db, actor, locale, now }, { params }) => importing.findImport(db, actor, params.id, textOf(locale), now))

  api.handle(imports.repairImport, async ({ db, actor, locale, now }, { params, body }) => {
    await importing.repairImport(db, actor, params.id, body.rows)
    return importing.findImport(db, actor, params.id, textOf(locale), now)
  })

  api.handle(imports.acceptImport, async ({ db, actor, locale, now }, { params }) => ({
    added: await importing.acceptImport(db, actor, params.id, textOf(locale), now),
  }))

  api.handle(imports.undoImport, ({ db, actor, now }, { params }) => importing.undoImport(db, actor, params.id, now))

  api.handle(imports.importWorkbook, ({ db, actor, locale, now }, { params }) =>
    importing.errorWorkbook(db, actor, params.id, textOf(locale), now),
  )

  api.handle(own.listReviews, ({ db }, { query }) => review.findReviews(db, query))

  api.handle(own.getReview, async ({ db, now, locale }, { params }) => {
    const machine = await fleet.findOwnMachine(db, params.id, null, dayOf(now))
    if (!machine || (machine.auditStatus === '0' && machine.change === null)) throw new Refusal('not_found')
    return written(machine, textOf(locale))
  })

  api.handle(own.passEquipment, async ({ db, hub, actor, now }, { params, body }) => {
    await review.passMachine(db, hub, actor, params.id, body.version, now)
    return null
  })

  api.handle(own.rejectEquipment, async ({ db, hub, actor, now }, { params, body }) => {
    await review.rejectMachine(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(own.passEquipmentBatch, async ({ db, hub, actor, now, locale }, { body }) => {
    const words = textOf(locale).refusal
    const { passed, left } = await review.passMachines(db, hub, actor, body.machines, now)
    return { passed, left: left.map(({ id, code }) => ({ id, msg: words[code] })) }
  })

  api.handle(own.confirmTrusted, async ({ db, actor, now }, { params }) => {
    await review.confirmTrusted(db, actor, params.id, now)
    return null
  })

  api.handle(own.takeEquipmentDown, async ({ db, hub, actor, now }, { params, body }) => {
    await review.takeMachineDown(db, hub, actor, params.id, body.reason, now)
    return null
  })

  api.handle(own.restoreEquipment, async ({ db, hub, actor, now }, { params }) => {
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
