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

/** Heartbeat of the websocket, milliseconds (specification 9). Beside it the unread count is asked for now and then. */
export const heartbeat = { every: 5000, replyWithin: 5000, retryAfter: 3000, poll: 60_000 } as const

/** Whether a minute of the day, `HH:mm`, lies in the quiet hours; they may run over midnight. */
export function isQuiet(minute: string, { quietFrom, quietTo }: { quietFrom: string; quietTo: string }): boolean {
  if (quietFrom === '' || quietTo === '' || quietFrom === quietTo) return false
  return quietFrom < quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo
}

const halfHours = Array.from(
  { length: 48 },
  (_, half) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`,
)

/** The times of the day, `HH:mm`, that a person may choose for the quiet hours: every half hour, and the one that is stored. */
export const halfHoursWith = (stored: string): string[] => [...new Set([...halfHours, ...(stored === '' ? [] : [stored])])].toSorted()
