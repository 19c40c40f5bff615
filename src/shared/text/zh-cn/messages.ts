import type { MessageKind } from '../../message/kinds.ts'
import { contractMessages } from './contract-messages.ts'

type Words = Record<string, string>

export const messages = {
  certificationPassed: { title: () => '认证已通过', content: (p: Words) => `${p.company}的认证已通过，可以开始使用全部功能。` },
  certificationRejected: {
    title: (p: Words): string => (p.change ? '认证变更被驳回' : '认证被退回'),
    content: (p: Words) =>
      p.change
        ? `${p.company}的认证变更未通过：${p.reason}。原认证继续有效，本次填写和上传的内容没有保留；需要变更请重新填写。`
        : `${p.company}的认证被退回：${p.reason}。请按要求补正后重新提交。`,
  },
  certificationRevoked: { title: () => '认证已撤销', content: (p: Words) => `${p.company}的认证已被撤销：${p.reason}` },
  certificationLeft: {
    title: () => '项目部认证已终止',
    content: (p: Words) => `您已调往${p.dept}，${p.company}的项目部认证随之终止。`,
  },
  certificationTakenBack: {
    title: () => '认证申请已撤回',
    content: (p: Words) => `您已调往${p.dept}，${p.company}审核中的认证申请随之撤回。`,
  },
  certificationExpired: {
    title: () => '认证已过期',
    content: (p: Words) =>
      p.stays
        ? `您为${p.company}提交的证照已于 ${p.day} 到期；同事的认证使企业认证继续有效，${p.waits ? '您提交的更新仍在审核' : '您可更新证照后重新提交'}。`
        : `${p.company}的证照已于 ${p.day} 到期，认证失效${p.waits ? '；您提交的资料仍在审核，通过后恢复' : '，请更新后重新提交'}。已订立的合同照常履行。`,
  },
  certificationWaiting: { title: () => '有新的认证申请', content: (p: Words) => `${p.company}提交了${p.kind}，请审核。` },
  certificationExpiring: {
    title: (p: Words) => `${p.paper}将到期`,
    content: (p: Words) =>
      `${p.company}的${p.paper}将于 ${p.day} 到期（${p.days === '0' ? '即今天' : `还有 ${p.days} 天`}），请及时更新，以免认证失效。`,
  },
  passwordChanged: { title: () => '密码已修改', content: (p: Words) => `您的登录密码于 ${p.time} 修改。如非本人操作，请立即找回密码。` },
  bidderPasswordReset: {
    title: (p: Words) => `平台重置了 ${p.userName} 的密码`,
    content: (p: Words) =>
      `平台于 ${p.time} 重置了贵司账号 ${p.userName} 的登录密码，当时贵司有 ${p.count} 份报价处于密封状态。此操作已记入相应需求的经过；如非贵司申请，请立即联系平台并核对报价。`,
  },
  personJoined: {
    title: (p: Words) => `${p.name} 加入了贵司`,
    content: (p: Words) =>
      `平台于 ${p.time} 通过了 ${p.name}（${p.userName}）的认证申请，该账号已加入贵司，可查看贵司的${p.lessor ? '设备、报价' : '需求'}和合同。${
        p.lessor ? '如当时贵司有密封的报价，此操作已记入相应需求的经过。' : ''
      }如其并非贵司人员，请立即联系平台。`,
  },
  phoneChanged: { title: () => '手机号已更换', content: (p: Words) => `绑定手机已更换为 ${p.phone}。如非本人操作，请联系平台。` },
  personAdded: {
    title: (p: Words) => `${p.by} 添加了${p.admin ? '管理员' : '人员'} ${p.name}`,
    content: (p: Words) =>
      `${p.time}，管理员 ${p.by} 添加了${p.admin ? '管理员' : '人员'} ${p.name}（${p.userName}），手机号为 ${p.phone}。该号码 24 小时内不能获取签约验证码。如有疑问，请与本人核实。`,
  },
  personAdmin: {
    title: (p: Words) => `${p.by} ${p.admin ? '设置' : '取消'}了 ${p.name} 的管理员身份`,
    content: (p: Words) =>
      `${p.time}，管理员 ${p.by} ${p.admin ? '设置' : '取消'}了 ${p.name}（${p.userName}）的管理员身份。如有疑问，请与本人核实。`,
  },
  personPhoneChanged: {
    title: (p: Words) => `${p.by} 更换了 ${p.name} 的手机号`,
    content: (p: Words) =>
      `${p.time}，管理员 ${p.by} 将 ${p.name}（${p.userName}）的绑定手机更换为 ${p.phone}。该号码 24 小时内不能获取签约验证码。如有疑问，请与本人核实。`,
  },
  personPasswordReset: {
    title: (p: Words) => `${p.by} 重置了 ${p.name} 的密码`,
    content: (p: Words) => `${p.time}，管理员 ${p.by} 重置了 ${p.name}（${p.userName}）的登录密码。如有疑问，请与本人核实。`,
  },
  passwordGuessed: {
    title: () => '有人多次输错您的登录密码',
    content: (p: Words) =>
      `${p.time}，来自 ${p.address}。该处 10 分钟内不能再用密码登录您的账号；您登录过的设备和短信验证码不受影响。如非本人操作，请换一个不易猜到的密码。`,
  },
  newDevice: {
    title: () => '账号在新设备上登录',
    content: (p: Words) => `${p.time}，来自 ${p.address}。如非本人操作，请退出该设备并修改密码。`,
  },
  secondFactorOn: {
    title: () => '二次验证已开启，非本人请联系平台',
    content: () => '今后登录时还需输入验证器中的验证码，其他设备已退出登录。如非本人操作，请立即联系平台。',
  },
  secondFactorOff: {
    title: () => '二次验证已关闭',
    content: () => '今后仅凭密码或短信验证码即可登录。如非本人操作，请立即修改密码并联系平台。',
  },
  cancellationWithdrawn: { title: () => '注销申请已撤回', content: () => '您在冷静期内登录，注销申请已自动撤回。' },
  cancellationStopped: { title: () => '注销申请需要处理', content: () => '冷静期内出现了未办结的事项，注销转由平台处理。' },
  cancellationRefused: { title: () => '注销申请被驳回', content: (p: Words) => `您的注销申请未通过：${p.reason}` },
  feedbackAnswered: { title: (p: Words) => `反馈已回复：${p.title}`, content: (p: Words) => p.content ?? '' },
  savedSearchHit: { title: (p: Words) => `“${p.name}”有新内容`, content: (p: Words) => `您保存的查询新增 ${p.count} 条，点击查看。` },
  demandMatched: {
    title: (p: Words) => `新需求：${p.title}`,
    content: (p: Words) => `${p.place}，${p.lines}，${p.deadline} 截止报价。您有 ${p.machines} 台设备合适。`,
  },
  demandInvited: {
    title: (p: Words) => `邀请报价：${p.title}`,
    content: (p: Words) => `${p.company}邀请贵司报价，${p.lines}，${p.deadline} 截止。`,
  },
  demandUninvited: {
    title: (p: Words) => `不再受邀：${p.title}`,
    content: (p: Words) =>
      `${p.company}变更了需求 ${p.code} 的受邀名单，贵司不在其中：${p.reason}。已提交的报价仍然有效，可确认或撤回；撤回后不能再报价。`,
  },
  quoteReceived: {
    title: (p: Words) => `收到报价：${p.title}`,
    content: (p: Words) => `${p.code} 已收到第 ${p.count} 家报价；价格${p.sealed === '1' ? '密封，截止后自动开启' : '截止后开启'}。`,
  },
  quoteWithdrawn: { title: (p: Words) => `报价撤回：${p.title}`, content: (p: Words) => `${p.code} 有一家撤回报价，现有 ${p.count} 家。` },
  demandOpened: {
    title: (p: Words) => `已开标：${p.title}`,
    content: (p: Words) =>
      p.count === '0'
        ? `${p.code} 已开标，没有有效报价，请流标或取消，可调整条件后重新发布。`
        : `${p.code} 共 ${p.count} 家报价已开启，请在开标后 ${p.days} 天内比价定标，逾期自动流标。`,
  },
  quoteOpened: { title: (p: Words) => `报价已开启：${p.title}`, content: (p: Words) => `${p.code} 已开标，进入评审。` },
  quoteWon: {
    title: (p: Words) => `中选：${p.title}`,
    content: (p: Words) => `贵司报价 ${p.code} 中选：${p.lines}。设备档期已锁定，请接受中选并等待承租方发送合同。`,
  },
  quoteLost: {
    title: (p: Words) => `未中选：${p.title}`,
    content: (p: Words) =>
      `贵司报价 ${p.code} 未中选，原因：${({ price: '价格', spec: '规格', time: '时间', papers: '资料', rating: '评价', other: '其他' } as Words)[p.reason ?? ''] ?? '其他'}。`,
  },
  demandSubmitted: { title: (p: Words) => `需求待审核：${p.title}`, content: (p: Words) => `${p.project}提交了 ${p.code}，请审核后发布。` },
  demandPublished: { title: (p: Words) => `需求已发布：${p.title}`, content: (p: Words) => `${p.unit}已为贵项目部发布 ${p.code}。` },
  demandApproved: {
    title: (p: Words) => `需求已通过审核：${p.title}`,
    content: (p: Words) =>
      `${p.code} 已发布${p.deadline ? `，报价截止改为 ${p.deadline}` : ''}${p.clarifyAtDeadline ? '，答疑至报价截止为止' : ''}，正在通知${p.invited ? '受邀' : '合适'}的出租方。`,
  },
  demandRejected: {
    title: (p: Words) => `需求被驳回：${p.title}`,
    content: (p: Words) => `${p.code} 未通过审核：${p.reason}。请修改后重新提交。`,
  },
  demandApprovalOff: {
    title: (p: Words) => `需求不再需要审核：${p.title}`,
    content: (p: Words) => `上级已不再审核需求，提交的 ${p.code} 已退回。请由项目部自行发布。`,
  },
  awardSubmitted: {
    title: (p: Words) => `定标待审批：${p.title}`,
    content: (p: Words) => `${p.project}提交了 ${p.code} 的定标结果，请审批。`,
  },
  demandAwarded: {
    title: (p: Words) => `已定标：${p.title}`,
    content: (p: Words) => `${p.unit}已为 ${p.code} 定标，设备档期已锁定，结果已通知各方。`,
  },
  awardApproved: {
    title: (p: Words) => `定标已获同意：${p.title}`,
    content: (p: Words) => `${p.code} 的定标已获上级同意，设备档期已锁定，结果已通知各方。`,
  },
  awardRejected: {
    title: (p: Words) => `定标被退回：${p.title}`,
    content: (p: Words) => `${p.code} 的定标结果被退回：${p.reason}。请重新选择后提交。`,
  },
  awardApprovalOff: {
    title: (p: Words) => `定标不再需要审批：${p.title}`,
    content: (p: Words) => `上级已不再审批定标，${p.code} 提交的定标已退回。请由项目部自行定标。`,
  },
  demandShort: {
    title: (p: Words) => `报价家数不足：${p.title}`,
    content: (p: Words) =>
      `${p.code} 已到截止时间，收到 ${p.count} 家，${Number(p.count) < Number(p.min) ? '' : '其中确认沿用的'}少于要求的 ${p.min} 家。请延期、说明理由后开标或流标；3 天内未处理将自动开标。`,
  },
  demandExtended: {
    title: (p: Words) => `报价延期：${p.title}`,
    content: (p: Words) =>
      `${p.code} 的报价截止延至 ${p.deadline}，原因：${p.reason}${p.validUntil ? `。报价有效期须不早于 ${p.validUntil}，早于该日的报价须修改后才有效` : ''}`,
  },
  demandAmended: {
    title: (p: Words) => `需求变更，请确认报价：${p.title}`,
    content: (p: Words) =>
      `${p.code} 有变更：${p.reason}。报价截止为 ${p.deadline}，未密封的需求可能提前开标；请尽快确认或修改报价，开标时未确认的失效。`,
  },
  demandCorrected: {
    title: (p: Words) => `需求更正：${p.title}`,
    content: (p: Words) =>
      `${p.code} 有更正：${p.reason}。${p.validUntil ? `报价截止为 ${p.deadline}，有效期早于 ${p.validUntil} 的报价须修改后才有效，其他报价不受影响。` : '此次更正不影响已提交的报价。'}`,
  },
  demandChanged: {
    title: (p: Words) => `需求变更：${p.title}`,
    content: (p: Words) => `${p.unit ? `${p.unit}变更了 ${p.code}` : `${p.code} 有变更`}：${p.reason}。报价截止为 ${p.deadline}。`,
  },
  quoteGivenUp: {
    title: (p: Words) => `中选方放弃：${p.title}`,
    content: (p: Words) => `${p.code} 有中选方放弃：${p.reason}。相应设备已释放，可将余量重新发布。`,
  },
  quoteLapsed: {
    title: (p: Words) => `报价已失效：${p.title}`,
    content: (p: Words) => `需求变更或延期后贵司未确认报价 ${p.code}，开标时已失效。`,
  },
  questionAsked: { title: (p: Words) => `收到提问：${p.title}`, content: (p: Words) => `${p.code}：${p.content}` },
  questionAnswered: { title: (p: Words) => `答疑：${p.title}`, content: (p: Words) => `${p.code}：${p.content}` },
  demandCancelled: { title: (p: Words) => `需求取消：${p.title}`, content: (p: Words) => `${p.code} 已取消，原因：${p.reason}` },
  demandTakenDown: {
    title: (p: Words) => `需求被平台下架：${p.title}`,
    content: (p: Words) => `${p.code} 已被平台下架：${p.reason}。相关报价全部失效。`,
  },
  demandFailed: { title: (p: Words) => `需求流标：${p.title}`, content: (p: Words) => `${p.code} 流标，原因：${p.reason}` },
  decisionDue: {
    title: (p: Words) => `定标期限将至：${p.title}`,
    content: (p: Words) => `${p.code} 开标后尚未定标，请在 ${p.until} 前定标、取消或流标；逾期将自动流标。`,
  },
  demandUndecided: {
    title: (p: Words) => `需求逾期未定标：${p.title}`,
    content: (p: Words) => `${p.code} 开标后 ${p.days} 天内未定标，已自动流标，相关报价全部失效。`,
  },
  equipmentPassed: {
    title: (p: Words) => `设备审核通过：${p.machine}`,
    content: (p: Words) =>
      p.change
        ? `${p.machine} 的变更已通过审核。`
        : p.onShelf
          ? `${p.machine} 已通过审核并上架。`
          : `${p.machine} 已通过审核，因证照或认证原因未上架，请处理后自行上架。`,
  },
  equipmentRejected: {
    title: (p: Words) => `${p.change ? '设备变更' : '设备审核'}未通过：${p.machine}`,
    content: (p: Words) =>
      p.change
        ? `${p.machine} 的变更被驳回：${p.reason}。仍按原信息公示，可修改后重新提交。`
        : `${p.machine} 被驳回：${p.reason}。请修改后重新提交。`,
  },
  equipmentTakenDown: {
    title: (p: Words) => `设备被平台下架：${p.machine}`,
    content: (p: Words) => `${p.machine} 已被平台下架：${p.reason}。如有异议或已整改，可通过“系统反馈”申请解除。`,
  },
  equipmentRestored: {
    title: (p: Words) => `可以重新上架：${p.machine}`,
    content: (p: Words) => `平台已解除对 ${p.machine} 的下架，可以重新上架。`,
  },
  equipmentOff: {
    title: (p: Words) => (p.count ? `${p.count} 台设备已下架` : `设备已下架：${p.machine}`),
    content: (p: Words) =>
      `${p.count ? `${p.machine} 等 ${p.count} 台设备` : `${p.machine} `}有证照到期，已自动下架；请更新证照，审核通过后重新上架。`,
  },
  machinesToConfirm: {
    title: (p: Words) => `${p.count} 台设备等待确认信息`,
    content: (p: Words) =>
      `这些设备已超过 ${p.days} 天未确认信息，请在“设备管理”勾选设备，点“确认信息”；超过 ${p.limit} 天未确认的将自动下架。`,
  },
  machineUnconfirmed: {
    title: (p: Words) => (p.count ? `${p.count} 台设备已下架` : `设备已下架：${p.machine}`),
    content: (p: Words) =>
      `${p.count ? `${p.machine} 等 ${p.count} 台设备` : `${p.machine} `}超过 ${p.limit} 天未确认信息，已自动下架；重新上架即视为确认。`,
  },
  blacklistNotified: {
    title: (p: Words) => `拟列入黑名单告知：${p.code}`,
    content: (p: Words) =>
      `${{ machine: `贵司设备 ${p.subject} `, person: `贵司人员 ${p.subject} ` }[p.subjectKind ?? ''] ?? '贵司'}被提议列入黑名单，事实与证据可在详情查看。请在 ${p.until} 前陈述${p.emergency ? '' : '；逾期未陈述的，可直接决定'}。`,
  },
  blacklistProposed: {
    title: (p: Words) => `黑名单待审定：${p.company}`,
    content: (p: Words) => `${p.code} 已告知对方，陈述或期满后请作出决定。`,
  },
  blacklistAnswered: { title: (p: Words) => `对方已陈述：${p.company}`, content: (p: Words) => `${p.code} 收到对方陈述，可以作出决定。` },
  blacklistInForce: {
    title: (p: Words) => `黑名单生效：${p.code}`,
    content: (p: Words) =>
      `${{ machine: `贵司设备 ${p.subject}：`, person: `贵司人员 ${p.subject}：` }[p.subjectKind ?? ''] ?? ''}${p.scope ? `${p.level}，${p.scope}：` : ''}自 ${p.from} 起，至 ${p.to} 前一日止。已生效合同的履行、结算与付款不受影响；可以在该条目中申诉。`,
  },
  blacklistDropped: { title: (p: Words) => `不予列入：${p.code}`, content: () => '该条目已终止，不影响贵司业务。' },
  blacklistAppealed: { title: (p: Words) => `收到申诉：${p.company}`, content: (p: Words) => `${p.code} 的对象提出申诉，请复核。` },
  blacklistKept: { title: (p: Words) => `申诉结果：维持 ${p.code}`, content: (p: Words) => `复核意见：${p.note}` },
  blacklistLifted: { title: (p: Words) => `已解除限制：${p.code}`, content: (p: Words) => `说明：${p.note}` },
  blacklistExpired: { title: (p: Words) => `限制到期：${p.code}`, content: () => '限制期已满，自动解除。' },
  transferAsked: { title: (p: Words) => `调剂申请：${p.machine}`, content: (p: Words) => `${p.code} 申请调剂 ${p.machine}，请确认。` },
  transferMoved: {
    title: (p: Words) => `调剂进展：${p.code}`,
    content: (p: Words) =>
      `${p.code}：${({ '1': '调出方已同意，请确认调入', '2': '调入方已确认，办理完毕', '3': '调出方未同意', '4': '申请已撤回' } as Words)[p.status ?? ''] ?? ''}。`,
  },
  paperExpiring: {
    title: (p: Words) => (p.count ? `${p.count} 份设备证照将到期` : `证照将到期：${p.machine}`),
    content: (p: Words) =>
      `${p.count ? `${p.count} 份设备证照将到期，最早的是 ` : ''}${p.machine} 的${p.paper}${p.count ? `，${p.day} 到期。` : `将于 ${p.day} 到期，`}请及时续期并提交审核，到期自动下架。`,
  },
  awardAccepted: {
    title: (p: Words) => `${p.company}已接受中选`,
    content: (p: Words) => `${p.company}接受了“${p.title}”（${p.code}）的中选结果，合同草稿将随即生成。`,
  },
  // Without a reason the clock ended it.
  awardLapsed: {
    title: (p: Words) => `定标失效：${p.title}`,
    content: (p: Words) =>
      `“${p.title}”（${p.code}）中${p.company}的部分${p.reason ? `不再签订合同：${p.reason}。` : '未在期限内签订合同，'}定标失效，设备已释放。责任方：${p.blame}。`,
  },
  ...contractMessages,
  jobItemSetAside: {
    title: (p: Words) => `定时任务有 ${p.count} 项被搁置`,
    content: (p: Words) =>
      `任务 ${p.job} 多次失败的 ${p.count} 项已搁置，不影响其他项；请在“定时任务”查看原因后重试。最近的错误：${p.error}`,
  },
  announcement: { title: (p: Words) => p.title ?? '', content: (p: Words) => p.content ?? '' },
} satisfies Record<MessageKind, { title: (p: Words) => string; content: (p: Words) => string }>
