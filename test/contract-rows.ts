import type { openWorld } from './world.ts'

type Who = keyof Awaited<ReturnType<typeof openWorld>>['cast']
type Row = { id: () => number; strangers: readonly Who[]; body?: object }
type Owned = { judged: number; quote: number; contract: number; contractChange: number }

/** For each call of contracts with an id in its path, an object and the strangers who must not find it. */
export const contractRows = (owned: () => Owned): Record<string, Row> => ({
  'PUT /business/leasingApply/:id/accept': { id: () => owned().quote, strangers: ['lessor2'] },
  'POST /business/leasingDemand/:id/contract': { id: () => owned().judged, strangers: ['stranger', 'otherProject', 'lessor'] },
  'PUT /business/leasingDemand/:id/contractDue': {
    id: () => owned().judged,
    strangers: ['stranger', 'otherProject', 'lessor'],
    body: { days: 3, reason: '不是我的' },
  },
  ...Object.fromEntries(
    (
      [
        ['GET', ''],
        ['GET', '/text'],
        ['GET', '/chain'],
        ['GET', '/pdf'],
        ['GET', '/evidence'],
        ['GET', '/evidence/parts'],
        ['GET', '/changes'],
        ['GET', '/machines'],
        ['POST', '/change'],
        ['POST', '/notice'],
        ['POST', '/signCode'],
        ['PUT', '/positions'],
        ...['persons', 'ask', 'approve', 'reject', 'send', 'recall', 'return', 'confirm', 'void', 'scan', 'matchScan'].map((move) => [
          'PUT',
          `/${move}`,
        ]),
      ] as [string, string][]
    ).map(([method, move]) => [
      `${method} /business/contract/:id${move}`,
      {
        id: () => owned().contract,
        strangers: ['stranger', 'otherProject', 'strangerAdmin', 'lessor2', 'operator', 'newcomer'] as const,
        body: {
          persons: [],
          purpose: 'confirm',
          reason: '不是我的',
          comment: '不是我的',
          smsCode: '123456',
          textHash: 'a'.repeat(64),
          bankName: '示例银行',
          bankAccount: '12345678',
          fileIds: ['00000000-0000-4000-8000-000000000000'],
          agrees: true,
          fromDay: '2026-12-01',
          terms: { kind: 'terminate', lastDay: '2026-12-01' },
          version: 1,
          lines: [{ equipmentId: 1, planStart: '2026-12-01', planEnd: '2026-12-31', rentUnit: 'M', unitPrice: '100' }],
        },
      },
    ]),
  ),
  ...Object.fromEntries(
    ['PUT ask', 'PUT approve', 'PUT reject', 'PUT confirm', 'PUT refuse', 'PUT stop', 'PUT recall', 'GET pdf'].map((call) => [
      call.replace(' ', ' /business/contractChange/:id/'),
      {
        id: () => owned().contractChange,
        strangers: ['stranger', 'otherProject', 'strangerAdmin', 'lessor2', 'operator', 'newcomer'] as const,
        body: { answer: '不是我的', reason: '不是我的' },
      },
    ]),
  ),
})
