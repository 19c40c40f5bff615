import { contract } from './contract.ts'

type Words = Record<string, string>

/** Messages from before they said the kind of the amendment have none. */
function kindOf({ kind = '' }: Words): string {
  const kinds: Words = contract.changeKind
  const name = kinds[kind]
  return name ? `（${name}）` : ''
}

/** The messages about contracts. */
export const contractMessages = {
  contractDrafted: {
    title: (p: Words) => `合同草稿已生成：${p.title}`,
    content: (p: Words) =>
      `与${p.company}的合同 ${p.code} 已生成草稿，请${p.due ? `于 ${p.due} 前完善并发送，逾期定标失效` : '完善并发送'}。`,
  },
  contractDue: {
    title: (p: Words) => `合同即将逾期：${p.title}`,
    content: (p: Words) =>
      `合同 ${p.code}（${p.company}）尚未发送，请在 ${p.due} 前发送，逾期定标失效${p.isBlameless ? '' : '，责任记在承租方'}。`,
  },
  contractDueMoved: {
    title: (p: Words) => `合同发送期限已延长：${p.title}`,
    content: (p: Words) => `“${p.title}”（${p.code}）的合同发送期限延长至 ${p.due}：${p.reason}。此后贵司可无责退出。`,
  },
  contractSubmitted: { title: (p: Words) => `合同待审批：${p.title}`, content: (p: Words) => `合同 ${p.code} 已送审，请审批。` },
  contractApproved: { title: (p: Words) => `合同已批准：${p.title}`, content: (p: Words) => `合同 ${p.code} 已获上级批准，可以发送。` },
  contractRejected: {
    title: (p: Words) => `合同被上级退回：${p.title}`,
    content: (p: Words) => `合同 ${p.code} 被退回：${p.reason}。请修改后重新送审。`,
  },
  contractToConfirm: {
    title: (p: Words) => `合同待确认：${p.title}`,
    content: (p: Words) => `${p.company}发送了合同 ${p.code}，请${p.due ? `于 ${p.due} 前确认或退回，逾期定标失效` : '确认或退回'}。`,
  },
  contractRecalled: {
    title: (p: Words) => `合同已撤回：${p.title}`,
    content: (p: Words) =>
      `${p.company}撤回了合同 ${p.code}，修改后会重新发送。${p.mayLeave ? '发送期限已延长，此后贵司可无责退出。' : ''}`,
  },
  contractReturned: {
    title: (p: Words) => `合同被退回：${p.title}`,
    content: (p: Words) =>
      `${p.company}退回了合同 ${p.code}：${p.reason}。请${p.due ? `在 ${p.due} 前修改并重新发送，逾期定标失效` : '修改后重新发送'}。`,
  },
  contractInForce: {
    title: (p: Words) => `合同已生效：${p.title}`,
    content: (p: Words) => `合同 ${p.code} 经双方确认，自即日起生效。${p.noScan ? '' : '请打印盖章并上传扫描件。'}`,
  },
  // Without a reason the clock ended it.
  contractVoided: {
    title: (p: Words) => `合同已作废：${p.title}`,
    content: (p: Words) => (p.reason ? `合同 ${p.code} 已作废：${p.reason}` : `合同 ${p.code} 未在期限内签订，已作废。`),
  },
  contractPartyLocked: {
    title: (p: Words) => `合同对方已被平台锁定：${p.title}`,
    content: (p: Words) =>
      `${p.company}已被平台锁定，其人员暂时无法登录办理。合同 ${p.code} ${p.sent ? '尚待出租方确认，尚未生效' : `${p.until ? `至最后一日 ${p.until} 为止` : ''}继续有效，租期、计租和应付款照常`}。`,
  },
  contractPartyUnlocked: {
    title: (p: Words) => `合同对方已解除锁定：${p.title}`,
    content: (p: Words) => `${p.company}已解除锁定，其人员可以重新登录办理合同 ${p.code}。`,
  },
  contractPartyUncertified: {
    title: (p: Words) => `合同对方的企业认证已终止：${p.title}`,
    content: (p: Words) =>
      p.revoked
        ? `${p.company}的企业认证已被撤销，其人员暂时无法办理。合同 ${p.code} 尚未生效，现在不能确认；请退回并说明，待其重新认证后再次发送。${p.lapses ? '由此定标失效的，责任不在贵司。' : ''}`
        : `${p.company}的企业认证已到期或被撤销，其人员暂时无法办理。合同 ${p.code} ${p.sent ? '尚待出租方确认，尚未生效' : `${p.until ? `至最后一日 ${p.until} 为止` : ''}继续有效，租期、计租和应付款照常；有收款账户变更在等待生效的，请核实`}。`,
  },
  contractPartyCertified: {
    title: (p: Words) => `合同对方已重新认证：${p.title}`,
    content: (p: Words) =>
      `${p.company}已重新通过企业认证，其人员可以继续办理合同 ${p.code}。${p.toConfirm ? `合同尚待贵司确认，请${p.due ? `在 ${p.due} 前` : ''}确认或退回。` : ''}`,
  },
  contractScanned: {
    title: (p: Words) => `盖章扫描件待核对：${p.title}`,
    content: (p: Words) => `${p.company}上传了合同 ${p.code} 的盖章扫描件，请核对是否一致。`,
  },
  contractScanMatched: {
    title: (p: Words) => `扫描件已核对一致：${p.title}`,
    content: (p: Words) => `${p.company}确认合同 ${p.code} 的盖章扫描件与双方确认的文本一致。`,
  },
  contractScanRefused: {
    title: (p: Words) => `扫描件不一致：${p.title}`,
    content: (p: Words) => `${p.company}认为合同 ${p.code} 的扫描件不一致：${p.reason}`,
  },
  contractPersons: {
    title: (p: Words) => `对方指定了经办人：${p.title}`,
    content: (p: Words) => `${p.company}指定了合同 ${p.code} 的经办人。`,
  },
  contractEnding: {
    title: (p: Words) => `租期 ${p.days} 天后到期：${p.title}`,
    content: (p: Words) =>
      `合同 ${p.code} 的机位 ${p.positions}${p.more ? ` 等 ${p.more} 个` : ''}租期至 ${p.day} 前一日。如需继续使用，请在到期前办理续租；不再使用的，请安排退场。`,
  },
  contractOwnPersons: {
    title: (p: Words) => `本方变更了签约人：${p.title}`,
    content: (p: Words) =>
      `${p.who}变更了本方在合同 ${p.code} 中的签约人，现为：${p.signers || '未指定，有合同权限的人都可以签约'}。如有异议，请管理员在合同的“人员与文件”中更正。`,
  },
  contractNotice: {
    title: (p: Words) => `对方通知解除合同：${p.title}`,
    content: (p: Words) =>
      `${p.company}就合同 ${p.code} 发出单方解除通知：${p.reason}。通知本身不改变合同状态，请双方协商，或依合同约定处理。`,
  },
  contractChangeAsked: {
    title: (p: Words) => `补充协议待确认：${p.title}`,
    content: (p: Words) =>
      `${p.company}就合同 ${p.code} 提出补充协议 ${p.change}${kindOf(p)}：${p.reason}。请${p.by ? `在 ${p.by} 前（含当日）` : ''}确认或拒绝。`,
  },
  contractChangeDone: {
    title: (p: Words) => `补充协议已生效：${p.title}`,
    content: (p: Words) =>
      `合同 ${p.code} 的补充协议 ${p.change}${kindOf(p) || ' '}已经双方确认。${p.day ? `合同提前终止，最后一日为 ${p.day}。` : ''}`,
  },
  contractChangeRefused: {
    title: (p: Words) => `补充协议被拒绝：${p.title}`,
    content: (p: Words) => `${p.company}拒绝了合同 ${p.code} 的补充协议 ${p.change}：${p.reason}`,
  },
  contractChangeRecalled: {
    title: (p: Words) => `补充协议已撤回：${p.title}`,
    content: (p: Words) => `${p.company}撤回了合同 ${p.code} 的补充协议 ${p.change}。`,
  },
  contractChangeSubmitted: {
    title: (p: Words) => `补充协议待审批：${p.title}`,
    content: (p: Words) => `合同 ${p.code} 的补充协议 ${p.change} 已送审，请审批。`,
  },
  contractChangeApproved: {
    title: (p: Words) => `补充协议已批准：${p.title}`,
    content: (p: Words) => `合同 ${p.code} 的补充协议 ${p.change} 已获上级批准，${p.sent ? '并已发送给出租方' : '可以确认'}。`,
  },
  contractChangeRejected: {
    title: (p: Words) => `补充协议被上级退回：${p.title}`,
    content: (p: Words) => `合同 ${p.code} 的补充协议 ${p.change} 未获批准：${p.reason}`,
  },
  contractChangeApprovalOff: {
    title: (p: Words) => `补充协议不再需要审批：${p.title}`,
    content: (p: Words) => `上级已不再审批合同，合同 ${p.code} 送审的补充协议 ${p.change} 已撤回。请重新发起，直接发送给对方。`,
  },
  contractChangeApprovalLate: {
    title: (p: Words) => `补充协议未及时获批，已撤回：${p.title}`,
    content: (p: Words) => `合同 ${p.code} 的补充协议 ${p.change} 生效日期已过 7 天，仍未获上级批准，已撤回。仍需变更的，请重新提出。`,
  },
  contractAccountAsked: {
    title: (p: Words) => `对方要求变更收款账户：${p.title}`,
    content: (p: Words) =>
      `${p.company}要求变更合同 ${p.code} 的收款账户（${p.change}）：${p.reason}。请先用此前已知的电话核实，再确认或拒绝；确认满 24 小时后生效。`,
  },
  contractAccountChanged: {
    title: (p: Words) => `收款账户将变更：${p.title}`,
    content: (p: Words) =>
      `本方已确认变更合同 ${p.code} 的收款账户（${p.change}，${p.company}），${p.moment ? `${p.moment} 起生效` : '24 小时后生效'}。如非本方所为，请在生效前到合同的“补充协议”叫停，并联系对方和平台。`,
  },
  contractAccountHolds: {
    title: (p: Words) => `收款账户已变更：${p.title}`,
    content: (p: Words) => `合同 ${p.code} 的收款账户变更（${p.change}）现已生效，付款前请再次核对。`,
  },
  contractOwnAccountAsked: {
    title: (p: Words) => `本方要求变更收款账户：${p.title}`,
    content: (p: Words) =>
      `本方要求变更合同 ${p.code} 的收款账户（${p.change}）：${p.reason}。如非本方所为，请到合同的“补充协议”撤回，并尽快更换密码。`,
  },
  contractOwnAccountChanged: {
    title: (p: Words) => `本方收款账户将变更：${p.title}`,
    content: (p: Words) =>
      `对方已确认变更合同 ${p.code} 的收款账户（${p.change}），${p.moment} 起生效。如非本方所为，请在生效前到合同的“补充协议”叫停，并联系平台。`,
  },
  contractOwnAccountHolds: {
    title: (p: Words) => `本方收款账户已变更：${p.title}`,
    content: (p: Words) => `合同 ${p.code} 的租金从现在起付到新的账户（${p.change}）。如非本方所为，请立即联系对方和平台。`,
  },
  contractAccountStopped: {
    title: (p: Words) => `收款账户变更已叫停：${p.title}`,
    content: (p: Words) => `${p.company}叫停了合同 ${p.code} 的收款账户变更（${p.change}）：${p.reason}。收款账户不变。`,
  },
}
