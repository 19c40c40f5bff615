import * as contract from '#shared/certification/contract.ts'
import type { CertificationKind } from '#shared/certification/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import * as certifications from './queries.ts'
import { passCertification, rejectCertification, revokeCertification } from './review.ts'
import { saveDraft, submitCertification, withdrawCertification } from './submit.ts'

export function certificationRoutes(api: Api): void {
  api.handle(contract.listOwnCertifications, ({ db, actor }) => certifications.findOwnCertifications(db, actor.accountId))

  const submissions = { rentout: contract.submitRentout, lease: contract.submitLease, dept: contract.submitDept }
  for (const [kind, endpoint] of Object.entries(submissions) as [CertificationKind, typeof contract.submitRentout][])
    api.handle(endpoint, async ({ db, hub, actor, now }, { body }) => ({
      id: await submitCertification(db, hub, actor, kind, body, now),
    }))

  api.handle(contract.saveCertificationDraft, async ({ db, actor, now }, { body }) => ({ id: await saveDraft(db, actor, body, now) }))

  api.handle(contract.withdrawCertification, async ({ db, actor, now }, { params }) => {
    await withdrawCertification(db, actor, params.id, now)
    return null
  })

  api.handle(contract.listParentUnits, ({ db }, { query }) => certifications.findParentUnits(db, query.keyword))

  api.handle(contract.listCertifications, ({ db, actor }, { query }) => certifications.findCertifications(db, actor, query))

  api.handle(contract.getCertification, async ({ db, actor, now }, { params }) => {
    const found = await certifications.findCertificationForReview(db, actor, params.id, dayOf(now))
    if (!found) throw new Refusal('not_found')
    return found
  })

  api.handle(contract.passCertification, async ({ db, hub, actor, now }, { params, body }) => {
    await passCertification(db, hub, actor, params.id, body.version, now)
    return null
  })

  api.handle(contract.rejectCertification, async ({ db, hub, actor, now }, { params, body }) => {
    await rejectCertification(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.revokeCertification, async ({ db, hub, actor, now }, { params, body }) => {
    await revokeCertification(db, hub, actor, params.id, body.reason, now)
    return null
  })
}
