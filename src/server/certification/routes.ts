import * as contract from '#shared/certification/contract.ts'
import type { Api } from '../api.ts'
import { takenByStaff } from '../audit/log.ts'
import { textOf } from '../http/locale.ts'
import { writePaperTemplate } from './paper-template.ts'
import * as certifications from './queries.ts'
import * as review from './review.ts'
import * as submit from './submit.ts'
import { withdrawCertification } from './withdraw.ts'

export function certificationRoutes(api: Api): void {
  api.handle(contract.listOwnCertifications, ({ db, actor }) => certifications.listOwnCertifications(db, actor))
  api.handle(contract.submitRentout, (deed, { body }) => submit.submitCertification(deed, { kind: 'rentout', ...body }))
  api.handle(contract.submitLease, (deed, { body }) => submit.submitCertification(deed, { kind: 'lease', ...body }))
  api.handle(contract.submitDept, (deed, { body }) => submit.submitCertification(deed, { kind: 'dept', ...body }))
  api.handle(contract.saveCertificationDraft, (deed, { body }) => submit.saveDraft(deed, body))
  api.handle(contract.withdrawCertification, (deed, { params }) => withdrawCertification(deed, params.id))
  api.handle(contract.listParentUnits, ({ db }, { query }) => certifications.listParentUnits(db, query.keyword))
  api.handle(contract.certificationTemplate, (context, { query }) => writePaperTemplate(context, query))

  api.handle(contract.listCertifications, ({ db, actor }, { query }) => certifications.listCertifications(db, actor, query))
  api.handle(contract.exportCertifications, (context, { query }) =>
    takenByStaff(context, { action: 'certification.export', bizType: 'certification', after: query }, () =>
      certifications.certificationsWorkbook(context.db, context.actor, { filter: query, text: textOf(context.locale) }),
    ),
  )
  api.handle(contract.getCertification, (context, { params }) => certifications.getCertification(context, params.id))
  api.handle(
    contract.passCertification,
    (deed, { params, body }) => review.passCertification(deed, { ...params, ...body }),
    ({ db }, { params }) => review.lockAdminsBeside(db, params.id),
  )
  api.handle(contract.rejectCertification, (deed, { params, body }) => review.rejectCertification(deed, { ...params, ...body }))
  api.handle(
    contract.revokeCertification,
    (deed, { params, body }) => review.revokeCertification(deed, { ...params, ...body }),
    ({ db }, { params }) => review.lockRole(db, params.id),
  )
}
