import * as contract from '#shared/contract/contract.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import * as manageCalls from '#shared/contract/manage.ts'
import * as directCalls from '#shared/contract/direct.ts'
import * as noticeCalls from '#shared/contract/notice.ts'
import * as calls from '#shared/contract/moves.ts'
import { giveUpQuote as giveUp } from '#shared/quote/contract.ts'
import type { Api } from '../api.ts'
import { takenByStaff } from '../audit/log.ts'
import { textOf } from '../http/locale.ts'
import { listAddableMachines } from './added-positions.ts'
import { askChangeApproval, decideChange } from './change-approval.ts'
import { listChanges } from './change-list.ts'
import * as changes from './changes.ts'
import { stopAccount } from './account.ts'
import { createDirectContract, listDirectMachines } from './direct.ts'
import { draftContracts } from './draft.ts'
import { editContract } from './edit.ts'
import { contractEvidence, countEvidenceParts } from './evidence.ts'
import { giveUpQuote } from './give-up.ts'
import { acceptAward, moveContractDue } from './lapse.ts'
import * as lists from './list.ts'
import { countAllContracts, exportAllContracts, listAllContracts, lookAtContract } from './manage.ts'
import * as moves from './moves.ts'
import { namePersons } from './naming.ts'
import { giveNotice } from './notices.ts'
import { attachOwnForms } from './own-forms.ts'
import { editPositions } from './positions.ts'
import { changePdf, contractPdf } from './prints.ts'
import * as queries from './queries.ts'
import { getRecordPage } from './record.ts'
import { matchScan, uploadScan } from './scan.ts'
import { getContractText } from './text.ts'

export function contractRoutes(api: Api): void {
  api.handle(contract.listContracts, (at, { query }) => lists.listContracts(at, query))
  api.handle(contract.countContracts, (at, { query }) => lists.countContracts(at, query))
  api.handle(contract.listContractParties, (at, { query }) => lists.listParties(at, query))
  api.handle(contract.exportContracts, (at, { query }) =>
    takenByStaff(at, { action: 'contract.list', bizType: 'contract', after: query }, () =>
      lists.contractsWorkbook(at, { filter: query, text: textOf(at.locale) }),
    ),
  )
  api.handle(contract.getContract, (at, { params }) => queries.getContract(at, params.id))
  api.handle(contract.getContractText, (at, { params, query }) => getContractText(at, { ...params, ...query, text: textOf(at.locale) }))
  api.handle(contract.printContract, (context, { params }) => contractPdf(context, params.id))
  api.handle(contract.exportContractEvidence, (context, { params, query }) => contractEvidence(context, { ...params, ...query }))
  api.handle(contract.countContractEvidence, (context, { params }) => countEvidenceParts(context, params.id))
  api.handle(contract.getContractChain, (at, { params, query }) => getRecordPage(at, { ...params, ...query }))
  api.handle(manageCalls.listAllContracts, ({ db }, { query }) => listAllContracts(db, query))
  api.handle(manageCalls.countAllContracts, ({ db }, { query }) => countAllContracts(db, query))
  api.handle(manageCalls.exportAllContracts, (context, { query }) => exportAllContracts(context, query))
  api.handle(manageCalls.lookAtContract, (deed, { params, body }) => lookAtContract(deed, { ...params, ...body }))
  api.handle(directCalls.createDirectContract, (deed, { body }) => createDirectContract(deed, body))
  api.handle(directCalls.editDirectPositions, (deed, { params, body }) => editPositions(deed, { ...params, ...body }))
  api.handle(directCalls.listDirectMachines, (at, { params, query }) => listDirectMachines(at, { ...params, ...query }))
  api.handle(directCalls.listAddableMachines, (at, { params }) => listAddableMachines(at, params.id))
  api.handle(calls.draftContracts, (deed, { params }) => draftContracts(deed, params.id))
  api.handle(calls.moveContractDue, (deed, { params, body }) => moveContractDue(deed, { ...params, ...body }))
  api.handle(calls.acceptAward, (deed, { params }) => acceptAward(deed, params.id))
  api.handle(giveUp, (deed, { params, body }) => giveUpQuote(deed, { ...params, ...body }))
  api.handle(calls.editContract, (deed, { body }) => editContract(deed, body))
  api.handle(calls.attachOwnForms, (deed, { params, body }) => attachOwnForms(deed, { ...params, ...body }))
  api.handle(calls.nameContractPersons, (deed, { params, body }) => namePersons(deed, { ...params, ...body }))
  api.handle(calls.askContractApproval, (deed, { params }) => moves.askApproval(deed, params.id))
  api.handle(calls.approveContract, (deed, { params, body }) => moves.decideApproval(deed, { ...params, ...body, reason: null }))
  api.handle(calls.rejectContract, (deed, { params, body }) => moves.decideApproval(deed, { ...params, ...body }))
  api.handle(calls.sendSignCode, (context, { params, body }) => moves.sendSignCode(context, { ...params, signing: body }))
  api.handle(calls.sendContract, (context, { params, body }) => moves.sendContract(context, { ...params, ...body }))
  api.handle(calls.recallContract, (deed, { params }) => moves.recallContract(deed, params.id))
  api.handle(calls.returnContract, (deed, { params, body }) => moves.returnContract(deed, { ...params, ...body }))
  api.handle(calls.confirmContract, (context, { params, body }) => moves.confirmContract(context, { ...params, ...body }))
  api.handle(calls.voidContract, (deed, { params, body }) => moves.voidContract(deed, { ...params, ...body }))
  api.handle(calls.uploadContractScan, (deed, { params, body }) => uploadScan(deed, { ...params, ...body }))
  api.handle(calls.matchContractScan, (deed, { params, body }) => matchScan(deed, { ...params, ...body }))
  api.handle(noticeCalls.giveContractNotice, (deed, { params, body }) => giveNotice(deed, { ...params, ...body }))
  api.handle(changeCalls.listContractChanges, (at, { params }) => listChanges(at, params.id))
  api.handle(changeCalls.printContractChange, (context, { params }) => changePdf(context, params.id))
  api.handle(changeCalls.proposeContractChange, (context, { params, body }) => changes.proposeChange(context, { ...params, ...body }))
  api.handle(changeCalls.confirmContractChange, (deed, { params }) => changes.confirmChange(deed, params.id))
  api.handle(changeCalls.refuseContractChange, (deed, { params, body }) => changes.endChange(deed, { ...params, ...body, move: 'refuse' }))
  api.handle(changeCalls.askChangeApproval, (deed, { params }) => askChangeApproval(deed, params.id))
  api.handle(changeCalls.approveContractChange, (deed, { params }) => decideChange(deed, { ...params, reason: null }))
  api.handle(changeCalls.rejectContractChange, (deed, { params, body }) => decideChange(deed, { ...params, ...body }))
  api.handle(changeCalls.stopContractChange, (deed, { params, body }) => stopAccount(deed, { ...params, ...body }))
  api.handle(changeCalls.recallContractChange, (deed, { params, body }) => changes.endChange(deed, { ...params, ...body, move: 'recall' }))
}
