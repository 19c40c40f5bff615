import * as contract from '#shared/equipment/contract.ts'
import * as imports from '#shared/equipment/import.ts'
import * as market from '#shared/equipment/market.ts'
import * as manage from '#shared/equipment/manage.ts'
import * as own from '#shared/equipment/own.ts'
import type { Api } from '../api.ts'
import { takenByStaff } from '../audit/log.ts'
import { batchAnswer, forEachApart, itemsOf } from '../batch.ts'
import { textOf } from '../http/locale.ts'
import { addBlock, removeBlock } from './blocks.ts'
import { withChangeTexts } from './change-texts.ts'
import * as importing from './import.ts'
import * as fleet from './own.ts'
import { getMarketPrices } from './market.ts'
import * as ownList from './own-list.ts'
import * as machines from './queries.ts'
import * as rents from './rents.ts'
import * as review from './review.ts'
import * as upload from './upload.ts'

export function equipmentRoutes(api: Api): void {
  publicRoutes(api)
  ownRoutes(api)
  importRoutes(api)
  reviewRoutes(api)
}

/** The shelf, for everybody. */
function publicRoutes(api: Api): void {
  api.handle(contract.listPublicEquipment, ({ db }, { query }) => machines.listShelvedEquipment(db, query))
  api.handle(contract.listBrands, ({ db }, { query }) => machines.findBrands(db, query))
  api.handle(contract.compareEquipment, ({ db }, { query }) => machines.compareMachines(db, query.ids))
  api.handle(contract.listStandardRents, ({ db, answerCache }) => answerCache.figure('standardRents', () => rents.findStandardRents(db)))
  api.handle(contract.getPublicEquipment, ({ db, now }, { params }) => machines.getShelvedMachine(db, params.id, now))
  api.handle(market.getMarketPrices, ({ db }, { params }) => getMarketPrices(db, params.id))
}

/** A lessor's own machines. */
function ownRoutes(api: Api): void {
  api.handle(contract.listOwnEquipment, ({ db, actor, now }, { query }) => ownList.listOwnEquipment(db, actor, { ...query, now }))
  api.handle(contract.exportOwnEquipment, ({ db, actor, now, locale }, { query }) =>
    ownList.ownEquipmentWorkbook(db, actor, { filter: { ...query, now }, text: textOf(locale) }),
  )
  api.handle(contract.countOwnShelves, ({ db, actor }, { query }) => ownList.countOwnShelves(db, actor, query))
  api.handle(contract.listOwnCategories, ({ db, actor }) => fleet.listOwnCategories(db, actor))
  api.handle(contract.setShelves, async (context, { body: { ids, shelfStatus } }) =>
    batchAnswer(
      await forEachApart(context, itemsOf(ids), (deed, { id }) => fleet.setShelf(deed, { id, shelfStatus })),
      textOf(context.locale),
    ),
  )
  api.handle(contract.setShelf, (deed, { params, body }) => fleet.setShelf(deed, { ...params, ...body }))
  api.handle(own.getOwnEquipment, async (context, { params }) =>
    withChangeTexts(context.db, await fleet.getOwnMachine(context, params.id), textOf(context.locale)),
  )
  api.handle(own.addEquipment, (deed, { body }) => upload.addMachine(deed, body))
  api.handle(own.editEquipment, (deed, { body }) => upload.editMachine(deed, body))
  api.handle(own.confirmEquipment, (deed, { body }) => upload.confirmMachines(deed, body.ids))
  api.handle(own.withdrawEquipment, (deed, { params }) => upload.withdrawMachine(deed, params.id))
  api.handle(own.deleteEquipment, (deed, { params }) => upload.deleteMachine(deed, params.id))
  api.handle(own.retireEquipment, (deed, { params }) => upload.retireMachine(deed, params.id))
  api.handle(own.addBlock, (deed, { params, body }) => addBlock(deed, { ...params, ...body }))
  api.handle(own.removeBlock, (deed, { params }) => removeBlock(deed, params))
}

/** Machines from a workbook. */
function importRoutes(api: Api): void {
  api.handle(imports.importTemplate, ({ db, locale }, { query }) => importing.templateOf(db, query.fatherCategoryId, textOf(locale)))
  api.handle(imports.importData, (context) => importing.receiveImport(context))
  api.handle(imports.listImports, ({ db, actor }, { query }) => importing.listImports(db, actor, query))
  api.handle(imports.getImport, (context, { params }) => importing.getImport(context, { ...params, text: textOf(context.locale) }))
  api.handle(imports.repairImport, (context, { params, body }) =>
    importing.repairImport(context, { ...params, ...body, text: textOf(context.locale) }),
  )
  api.handle(imports.acceptImport, (context, { params }) => importing.acceptImport(context, { ...params, text: textOf(context.locale) }))
  api.handle(imports.undoImport, (deed, { params }) => importing.undoImport(deed, params.id))
  api.handle(imports.importWorkbook, (context, { params }) => importing.errorWorkbook(context, { ...params, text: textOf(context.locale) }))
}

/** The platform's review. */
function reviewRoutes(api: Api): void {
  api.handle(manage.listReviews, ({ db }, { query }) => review.listReviews(db, query))
  api.handle(manage.exportReviews, (context, { query }) =>
    takenByStaff(context, { action: 'equipment.export', bizType: 'equipment', after: query }, () =>
      review.reviewsWorkbook(context.db, { filter: query, text: textOf(context.locale) }),
    ),
  )
  api.handle(manage.getReview, async ({ db, now, locale }, { params }) =>
    withChangeTexts(db, await review.getReviewedMachine(db, params.id, now), textOf(locale)),
  )
  api.handle(manage.passEquipment, (deed, { params, body }) => review.passMachine(deed, { ...params, ...body }))
  api.handle(manage.rejectEquipment, (deed, { params, body }) => review.rejectMachine(deed, { ...params, ...body }))
  api.handle(manage.passEquipmentBatch, async (context, { body }) => {
    const { done, left } = batchAnswer(await review.passMachines(context, body.machines), textOf(context.locale))
    return { passed: done, left }
  })
  api.handle(manage.confirmTrusted, (deed, { params }) => review.confirmTrusted(deed, params.id))
  api.handle(manage.takeEquipmentDown, (deed, { params, body }) => review.takeMachineDown(deed, { ...params, ...body }))
  api.handle(manage.restoreEquipment, (deed, { params }) => review.restoreMachine(deed, params.id))
}
