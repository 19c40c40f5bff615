/** Subjects are constants of the protocol: clients compare the certification notice by its Chinese text. */
export const certificationSubject = '企业认证审核通知'

/** Every subject with its group; a locked one is always shown. */
export const subjectGroups = {
  account: [certificationSubject, '账号安全通知', '黑名单通知', '反馈回复通知', '系统公告'],
  demand: ['需求审核通知', '新需求推荐', '需求变更通知', '答疑通知', '报价提交通知', '报价截止提醒', '开标通知', '中选结果通知'],
  order: [
    '合同待确认通知',
    '合同到期提醒',
    '进场通知',
    '退场通知',
    '台班签认提醒',
    '报停复工通知',
    '故障报修通知',
    '结算确认通知',
    '付款到期提醒',
    '评价提醒',
  ],
  equipment: ['设备审核通知', '证照到期提醒', '闲置调剂通知'],
} as const satisfies Record<string, readonly string[]>
export type SubjectGroup = keyof typeof subjectGroups
export type SystemSubject = (typeof subjectGroups)[SubjectGroup][number]
export const systemSubjects: readonly SystemSubject[] = Object.values(subjectGroups).flat()

export const lockedSubjects: readonly SystemSubject[] = [certificationSubject, '账号安全通知', '黑名单通知']

/** Every message the platform sends: its subject and level. Its words are in the text catalogues under the same key. */
export const messageKinds = {
  certificationPassed: { subject: '企业认证审核通知', level: 'info' },
  certificationRejected: { subject: '企业认证审核通知', level: 'warn' },
  certificationRevoked: { subject: '企业认证审核通知', level: 'warn' },
  certificationExpired: { subject: '企业认证审核通知', level: 'warn' },
  certificationWaiting: { subject: '企业认证审核通知', level: 'info' },
  certificationExpiring: { subject: '证照到期提醒', level: 'warn' },
  passwordChanged: { subject: '账号安全通知', level: 'warn' },
  bidderPasswordReset: { subject: '账号安全通知', level: 'warn' },
  phoneChanged: { subject: '账号安全通知', level: 'warn' },
  passwordGuessed: { subject: '账号安全通知', level: 'warn' },
  secondFactorOn: { subject: '账号安全通知', level: 'warn' },
  secondFactorOff: { subject: '账号安全通知', level: 'warn' },
  newDevice: { subject: '账号安全通知', level: 'warn' },
  cancellationWithdrawn: { subject: '账号安全通知', level: 'info' },
  cancellationStopped: { subject: '账号安全通知', level: 'warn' },
  cancellationRefused: { subject: '账号安全通知', level: 'warn' },
  feedbackAnswered: { subject: '反馈回复通知', level: 'info' },
  savedSearchHit: { subject: '新需求推荐', level: 'info' },
  demandMatched: { subject: '新需求推荐', level: 'info' },
  demandInvited: { subject: '新需求推荐', level: 'info' },
  demandUninvited: { subject: '需求变更通知', level: 'warn' },
  quoteReceived: { subject: '报价提交通知', level: 'info' },
  quoteWithdrawn: { subject: '报价提交通知', level: 'info' },
  demandOpened: { subject: '开标通知', level: 'info' },
  quoteOpened: { subject: '开标通知', level: 'info' },
  quoteWon: { subject: '中选结果通知', level: 'info' },
  quoteLost: { subject: '中选结果通知', level: 'info' },
  demandSubmitted: { subject: '需求审核通知', level: 'info' },
  demandApproved: { subject: '需求审核通知', level: 'info' },
  demandRejected: { subject: '需求审核通知', level: 'warn' },
  awardSubmitted: { subject: '需求审核通知', level: 'info' },
  awardApproved: { subject: '中选结果通知', level: 'info' },
  awardRejected: { subject: '需求审核通知', level: 'warn' },
  demandShort: { subject: '报价截止提醒', level: 'warn' },
  demandExtended: { subject: '需求变更通知', level: 'info' },
  demandAmended: { subject: '需求变更通知', level: 'warn' },
  demandCorrected: { subject: '需求变更通知', level: 'info' },
  quoteGivenUp: { subject: '中选结果通知', level: 'warn' },
  quoteLapsed: { subject: '需求变更通知', level: 'warn' },
  questionAsked: { subject: '答疑通知', level: 'info' },
  questionAnswered: { subject: '答疑通知', level: 'info' },
  demandCancelled: { subject: '需求变更通知', level: 'warn' },
  demandTakenDown: { subject: '需求变更通知', level: 'warn' },
  demandFailed: { subject: '中选结果通知', level: 'info' },
  equipmentPassed: { subject: '设备审核通知', level: 'info' },
  equipmentRejected: { subject: '设备审核通知', level: 'warn' },
  equipmentTakenDown: { subject: '设备审核通知', level: 'warn' },
  equipmentRestored: { subject: '设备审核通知', level: 'info' },
  equipmentOff: { subject: '证照到期提醒', level: 'warn' },
  machinesToConfirm: { subject: '设备审核通知', level: 'info' },
  machineUnconfirmed: { subject: '设备审核通知', level: 'warn' },
  blacklistNotified: { subject: '黑名单通知', level: 'warn' },
  blacklistProposed: { subject: '黑名单通知', level: 'info' },
  blacklistAnswered: { subject: '黑名单通知', level: 'info' },
  blacklistInForce: { subject: '黑名单通知', level: 'warn' },
  blacklistDropped: { subject: '黑名单通知', level: 'info' },
  blacklistAppealed: { subject: '黑名单通知', level: 'info' },
  blacklistKept: { subject: '黑名单通知', level: 'info' },
  blacklistLifted: { subject: '黑名单通知', level: 'info' },
  blacklistExpired: { subject: '黑名单通知', level: 'info' },
  transferAsked: { subject: '闲置调剂通知', level: 'info' },
  transferMoved: { subject: '闲置调剂通知', level: 'info' },
  paperExpiring: { subject: '证照到期提醒', level: 'warn' },
  jobItemSetAside: { subject: '系统公告', level: 'warn' },
  announcement: { subject: '系统公告', level: 'info' },
} as const satisfies Record<string, { subject: SystemSubject; level: 'info' | 'warn' }>
export type MessageKind = keyof typeof messageKinds

/** The subjects that the product sends. People are offered no others, because a choice about them would promise messages that never come. */
export const sentSubjects: readonly SystemSubject[] = systemSubjects.filter((subject) =>
  Object.values(messageKinds).some((kind) => kind.subject === subject),
)

/**
 * News that one lessor may cause many times about the same demand. While such a message is unread the next one takes its place, without another
 * signal or SMS; an index of the database names the same kinds.
 */
export const joinedKinds = ['questionAsked', 'quoteReceived', 'quoteWithdrawn'] as const satisfies readonly MessageKind[]

/** Heartbeat of the websocket, milliseconds (specification 9). Beside it the unread count is asked for now and then. */
export const heartbeat = { every: 5000, replyWithin: 5000, retryAfter: 3000, poll: 60_000 } as const

/** Whether a minute of the day, `HH:mm`, lies in the quiet hours; they may run over midnight. */
export function isQuiet(minute: string, { quietFrom, quietTo }: { quietFrom: string; quietTo: string }): boolean {
  if (quietFrom === '' || quietTo === '' || quietFrom === quietTo) return false
  return quietFrom < quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo
}
