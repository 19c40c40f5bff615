/** Subjects are constants of the protocol: clients compare the certification notice by its Chinese text. */
export const certificationSubject = '企业认证审核通知'

export const systemSubjects = [
  certificationSubject,
  '账号安全通知',
  '新需求推荐',
  '报价提交通知',
  '开标通知',
  '中选结果通知',
  '需求变更通知',
  '设备审核通知',
  '证照到期提醒',
  '系统公告',
] as const
export type SystemSubject = (typeof systemSubjects)[number]

/** Every message the platform sends: its subject and level. Its words are in the text catalogues under the same key. */
export const messageKinds = {
  certificationPassed: { subject: '企业认证审核通知', level: 'info' },
  certificationRejected: { subject: '企业认证审核通知', level: 'warn' },
  demandMatched: { subject: '新需求推荐', level: 'info' },
  demandInvited: { subject: '新需求推荐', level: 'info' },
  quoteReceived: { subject: '报价提交通知', level: 'info' },
  quoteWithdrawn: { subject: '报价提交通知', level: 'info' },
  demandOpened: { subject: '开标通知', level: 'info' },
  quoteOpened: { subject: '开标通知', level: 'info' },
  quoteWon: { subject: '中选结果通知', level: 'info' },
  quoteLost: { subject: '中选结果通知', level: 'info' },
  demandCancelled: { subject: '需求变更通知', level: 'warn' },
  demandFailed: { subject: '中选结果通知', level: 'info' },
  paperExpiring: { subject: '证照到期提醒', level: 'warn' },
  announcement: { subject: '系统公告', level: 'info' },
} as const satisfies Record<string, { subject: SystemSubject; level: 'info' | 'warn' }>
export type MessageKind = keyof typeof messageKinds

/** Heartbeat of the websocket, milliseconds (specification 9). */
export const heartbeat = { every: 5000, replyWithin: 5000, retryAfter: 3000 } as const
