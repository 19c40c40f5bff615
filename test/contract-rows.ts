import type { Endpoint } from '#shared/endpoint.ts'
import type { openWorld } from './world.ts'

type Who = keyof Awaited<ReturnType<typeof openWorld>>['cast']
type Row = { id: () => number; strangers: readonly Who[]; body?: object }
type Owned = { judged: number; contract: number; contractChange: number }

/** Everybody to whom no contract of the cast's project and first lessor is any business, of each kind. */
export const contractStrangers = [
  ...(['stranger', 'strangerAdmin', 'newcomer'] as const),
  ...(['otherProject', 'lessor2', 'driver', 'operator'] as const),
  ...(['auditor', 'otherAuditor'] as const),
] as const satisfies readonly Who[]

/** Whether a call is one of contracts, by its permission or its address, so that a new one is among them by itself. */
export const isContractCall = ({ access, url }: Endpoint): boolean => access.startsWith('contract:') || url.startsWith('/business/contract')

/** What somebody may do although their kind is a stranger: an auditor reads the contracts of the own organisation, and looking is the operators'. */
export const isTheirs = ({ access, method }: Endpoint, who: Who): boolean =>
  (who === 'auditor' && method === 'GET' && access === 'contract:view') || (who === 'operator' && access === 'contract:look')

/** For each call of contracts with an id in its path, an object, and further strangers of that call alone. */
export const contractRows = (owned: () => Owned): Record<string, Row> => ({
  'POST /system/contract/:id/look': { id: () => owned().contract, strangers: ['project', 'lessor', 'clerk'], body: { reason: '不是我的' } },
  'POST /business/leasingDemand/:id/contract': { id: () => owned().judged, strangers: ['lessor'] },
  'PUT /business/leasingDemand/:id/contractDue': {
    id: () => owned().judged,
    strangers: ['lessor'],
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
        ...['persons', 'ask', 'approve', 'reject', 'send', 'recall', 'return', 'confirm', 'void', 'scan', 'matchScan', 'forms'].map(
          (move) => ['PUT', `/${move}`],
        ),
      ] as [string, string][]
    ).map(([method, move]) => [
      `${method} /business/contract/:id${move}`,
      {
        id: () => owned().contract,
        strangers: [] as const,
        body: {
          persons: [],
          before: [],
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
        strangers: [] as const,
        body: { answer: '不是我的', reason: '不是我的' },
      },
    ]),
  ),
})
