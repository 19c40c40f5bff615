import { saveCeiling } from '#shared/ceiling/contract.ts'
import { saveView } from '#shared/saved-view/contract.ts'
import { contractRows } from './contract-rows.ts'
import type { openWorld } from './world.ts'

type World = Awaited<ReturnType<typeof openWorld>>
type Row = { id: () => number | string | Promise<number>; strangers: readonly (keyof World['cast'])[]; body?: object }

/** The objects that the rows name, before any of them is there. */
export const noObjects = () => ({
  certification: 0,
  audit: 0,
  feedback: 0,
  savedSearch: 0,
  session: 0,
  demand: 0,
  invited: 0,
  judged: 0,
  contract: 0,
  contractChange: 0,
  contractDemand: 0,
  draft: 0,
  quote: 0,
  question: 0,
  machine: 0,
  draftMachine: 0,
  blacklist: 0,
  internal: 0,
  transfer: 0,
  import: 0,
  hidden: 0,
  message: 0,
  file: '',
  article: 0,
})

/**
 * An object for each call with an id in its path, and who must not learn that it exists.
 * `id` creates the object, or names one that several calls share. Calls of the platform's own people need no row.
 */
export function objectRows(world: World, owned: ReturnType<typeof noObjects>): Record<string, Row> {
  const { cast } = world
  return {
    'GET /business/leasingDemand/:id': { id: () => owned.demand, strangers: ['stranger', 'otherProject'] },
    'PUT /business/leasingDemand/:id/cancel': {
      id: () => owned.demand,
      strangers: ['stranger', 'otherProject'],
      body: { reason: '不是我的' },
    },
    'PUT /business/leasingDemand/:id/fail': {
      id: () => owned.demand,
      strangers: ['stranger', 'otherProject'],
      body: { reason: '不是我的' },
    },
    'PUT /business/leasingDemand/:id/open': { id: () => owned.demand, strangers: ['stranger', 'otherProject'] },
    'PUT /business/leasingDemand/:id/award': {
      id: () => owned.judged,
      strangers: ['stranger', 'otherProject'],
      body: { lines: [{ demandItemId: 1, quoteLineId: 1, qty: 1 }] },
    },
    'PUT /business/leasingDemand/:id/approve': { id: () => owned.demand, strangers: ['strangerAdmin'], body: { version: 1 } },
    'PUT /business/leasingDemand/:id/reject': {
      id: () => owned.demand,
      strangers: ['strangerAdmin'],
      body: { version: 1, reason: '不是我的' },
    },
    'PUT /business/leasingDemand/:id/extend': {
      id: () => owned.demand,
      strangers: ['stranger', 'otherProject'],
      body: { quoteDeadline: '2026-12-20 10:00:00', reason: '不是我的' },
    },
    'PUT /business/leasingDemand/:id/award/approve': { id: () => owned.judged, strangers: ['strangerAdmin'], body: { requestId: 1 } },
    'PUT /business/leasingDemand/:id/award/reject': {
      id: () => owned.judged,
      strangers: ['strangerAdmin'],
      body: { requestId: 1, reason: '不是我的' },
    },
    'PUT /business/leasingApply/:id/accept': { id: () => owned.quote, strangers: ['lessor2'] },
    'PUT /business/leasingApply/:id/giveUp': { id: () => owned.quote, strangers: ['lessor2'], body: { reason: '不是我的' } },
    'PUT /business/leasingApply/:id/confirm': { id: () => owned.quote, strangers: ['lessor2'], body: { version: 1, demandRevision: 1 } },
    ...contractRows(() => owned),
    'GET /business/question/list/:demandId': { id: () => owned.invited, strangers: ['visitor', 'newcomer', 'stranger', 'lessor2'] },
    'PUT /business/question/:id/answer': {
      id: () => owned.question,
      strangers: ['stranger', 'otherProject'],
      body: { answer: '不是我的' },
    },
    'GET /business/leasingDemand/:id/contact': { id: () => owned.invited, strangers: ['stranger', 'lessor2'] },
    'GET /business/leasingDemand/firstPageList/:id': { id: () => owned.invited, strangers: ['visitor', 'newcomer', 'stranger', 'lessor2'] },
    'GET /business/leasingDemand/draft/:id': { id: () => owned.draft, strangers: ['stranger', 'otherProject'] },
    'DELETE /business/leasingDemand/draft/:id': { id: () => owned.draft, strangers: ['stranger', 'otherProject'] },
    'GET /business/leasingApply/demand/:id': { id: () => owned.invited, strangers: ['lessor2'] },
    'PUT /business/leasingApply/:id/withdraw': { id: () => owned.quote, strangers: ['lessor2'] },
    'GET /business/leasingApply/compare/:demandId': { id: () => owned.judged, strangers: ['stranger', 'otherProject'] },
    'PUT /business/equipment/:id/shelf': { id: () => owned.machine, strangers: ['lessor2'], body: { shelfStatus: '0' } },
    'DELETE /business/internal/:id': { id: () => owned.internal, strangers: ['strangerAdmin'] },
    'PUT /business/internal/transfer/:id/agree': { id: () => owned.transfer, strangers: ['strangerAdmin'] },
    'PUT /business/internal/transfer/:id/refuse': { id: () => owned.transfer, strangers: ['strangerAdmin'], body: { reason: '不是我的' } },
    'PUT /business/internal/transfer/:id/receive': { id: () => owned.transfer, strangers: ['stranger', 'strangerAdmin'] },
    'PUT /business/internal/transfer/:id/withdraw': { id: () => owned.transfer, strangers: ['stranger', 'strangerAdmin'] },
    'DELETE /business/ceiling/:id': {
      id: async () => {
        const ceiling = { deptId: world.depts.root, categoryId: 701, rentUnit: 'M', price: 1, fromDay: '2026-01-01' }
        return (await cast.lessee.call(saveCeiling, { body: ceiling })).data.id
      },
      strangers: ['strangerAdmin'],
    },
    'GET /business/blacklist/:id': { id: () => owned.blacklist, strangers: ['stranger', 'strangerAdmin', 'lessor', 'lessor2'] },
    ...Object.fromEntries(
      ['notify', 'withdraw', 'decide', 'emergency', 'decideAppeal', 'lift', 'answer', 'appeal'].map((move) => [
        `PUT /business/blacklist/:id/${move}`,
        {
          id: () => owned.blacklist,
          strangers: ['stranger', 'strangerAdmin', 'lessor2'] as const,
          body: { version: 1, note: '不是我的', effective: true, upheld: true, answer: '不是我的', content: '这不是我公司的条目，请核对' },
        },
      ]),
    ),
    'GET /business/contract/machines/:companyId': {
      id: () => cast.lapsed.companyId,
      strangers: ['project', 'lessor', 'lessor2', 'operator', 'newcomer', 'visitor'],
    },
    'GET /business/blacklist/machines/:companyId': { id: () => cast.lessor.companyId, strangers: ['lessor', 'lessor2', 'visitor'] },
    'GET /business/equipment/own/:id': { id: () => owned.machine, strangers: ['lessor2'] },
    'PUT /business/equipment/:id/withdraw': { id: () => owned.machine, strangers: ['lessor2'] },
    'DELETE /business/equipment/:id': { id: () => owned.machine, strangers: ['lessor2'] },
    'PUT /business/equipment/:id/retire': { id: () => owned.machine, strangers: ['lessor2'] },
    'POST /business/equipment/:id/block': {
      id: () => owned.machine,
      strangers: ['lessor2'],
      body: { from: '2026-12-01', to: '2026-12-02', reason: 'own' },
    },
    'DELETE /business/equipment/:id/block/:blockId': { id: () => owned.machine, strangers: ['lessor2'] },
    'GET /business/equipment/review/:id': { id: () => owned.draftMachine, strangers: ['lessor2', 'operator'] },
    'PUT /business/equipment/:id/pass': { id: () => owned.machine, strangers: ['lessor', 'lessor2'], body: { version: 1 } },
    'PUT /business/equipment/:id/reject': {
      id: () => owned.machine,
      strangers: ['lessor', 'lessor2'],
      body: { version: 1, reason: '不是我的' },
    },
    'GET /business/equipment/import/:id': { id: () => owned.import, strangers: ['lessor2'] },
    'PUT /business/equipment/import/:id/rows': { id: () => owned.import, strangers: ['lessor2'], body: { rows: [] } },
    'PUT /business/equipment/import/:id/accept': { id: () => owned.import, strangers: ['lessor2'] },
    'PUT /business/equipment/import/:id/undo': { id: () => owned.import, strangers: ['lessor2'] },
    'GET /business/equipment/import/:id/workbook': { id: () => owned.import, strangers: ['lessor2'] },
    'POST /file/:id/turn': { id: () => owned.file, strangers: ['stranger', 'lessor', 'operator'] },
    'GET /business/equipment/firstPageList/:id': { id: () => owned.hidden, strangers: ['visitor', 'lessor', 'lessor2'] },
    'GET /business/equipment/firstPageList/:id/market': { id: () => owned.hidden, strangers: ['visitor', 'lessor', 'lessor2'] },
    'GET /business/supplier/firstPageList/:id': { id: () => cast.lapsed.companyId, strangers: ['visitor', 'lessor'] },
    'GET /system/sysUserMessage/ownMessageInfo/:id': { id: () => owned.message, strangers: ['stranger', 'lessor2', 'operator'] },
    'DELETE /system/sysUserMessage/delete/:id': { id: () => owned.message, strangers: ['stranger', 'lessor2', 'operator'] },
    'GET /file/:id': { id: () => owned.file, strangers: ['visitor', 'stranger', 'lessor', 'operator'] },
    'GET /system/notice/firstPageList/:id': { id: () => owned.article, strangers: ['visitor', 'operator'] },
    'GET /auth/refreshPrject/:id': {
      id: () => world.depts.strangerDept,
      strangers: ['project', 'lessee', 'lessor', 'newcomer', 'operator'],
    },
    'DELETE /auth/sessions/:id': { id: () => owned.session, strangers: ['stranger', 'lessor', 'newcomer', 'operator'] },
    'PUT /business/approve/:id/withdraw': { id: () => owned.certification, strangers: ['lessor', 'stranger', 'operator', 'lessee'] },
    'GET /business/approve/:id': { id: () => owned.certification, strangers: ['lessee'] },
    'PUT /business/approve/:id/pass': { id: () => owned.certification, strangers: ['lessee'], body: { version: 1 } },
    'PUT /business/approve/:id/reject': {
      id: () => owned.certification,
      strangers: ['lessee'],
      body: { version: 1, reason: '不是我的', fields: [], documents: [] },
    },
    'PUT /business/approve/:id/revoke': { id: () => owned.certification, strangers: ['lessee'], body: { reason: '不是我的' } },
    'PUT /system/dept/:id/status': { id: () => world.depts.strangerDept, strangers: ['lessee'], body: { status: '1' } },
    'DELETE /system/dept/:id': { id: () => world.depts.strangerDept, strangers: ['lessee'] },
    'GET /system/user/getUserInfo/:id': { id: () => cast.project.id, strangers: ['lessor', 'lessor2'] },
    'DELETE /system/user/delete/:id': { id: () => cast.project.id, strangers: ['lessor', 'lessor2'] },
    'GET /business/contract/tasks/:id': { id: () => cast.project.id, strangers: ['lessor', 'lessor2', 'strangerAdmin'] },
    'PUT /business/contract/tasks/:id': {
      id: () => cast.project.id,
      strangers: ['lessor', 'lessor2', 'strangerAdmin'],
      body: { toAccountId: 1 },
    },
    'GET /business/feedback/:id': { id: () => owned.feedback, strangers: ['stranger', 'lessor', 'newcomer', 'lessee'] },
    'POST /business/feedback/:id/reply': {
      id: () => owned.feedback,
      strangers: ['stranger', 'lessor', 'operator'],
      body: { content: '不是我的' },
    },
    'POST /business/feedback/:id/answer': { id: () => owned.feedback, strangers: ['project', 'lessor'], body: { content: '不是我的' } },
    'PUT /business/feedback/:id/close': { id: () => owned.feedback, strangers: ['stranger', 'operator'], body: { satisfaction: null } },
    'PUT /business/savedSearch/:id': { id: () => owned.savedSearch, strangers: ['stranger', 'lessor', 'operator'], body: { alert: false } },
    'DELETE /system/savedView/:id': {
      id: async () => (await cast.project.call(saveView, { body: { list: 'ownDemand', name: '待定标', query: 'status=4' } })).data.id,
      strangers: ['stranger', 'lessor', 'operator'],
    },
    'DELETE /business/savedSearch/:id': { id: () => owned.savedSearch, strangers: ['stranger', 'lessor', 'operator'] },
    'GET /business/supplier/:id/contact': { id: () => cast.lapsed.companyId, strangers: ['project', 'lessor'] },
    'GET /system/sysInformation/firstPageList/:id': { id: () => owned.article, strangers: ['visitor', 'operator'] },
    'GET /business/leasingDemand/:id/chain': { id: () => owned.judged, strangers: ['newcomer', 'stranger', 'otherProject', 'lessor2'] },
    'GET /business/leasingDemand/:id/evidence': { id: () => owned.judged, strangers: ['stranger', 'otherProject', 'lessor'] },
    'GET /system/auditLog/:seq': { id: () => owned.audit, strangers: ['auditor', 'lessor', 'lessee'] },
  }
}
