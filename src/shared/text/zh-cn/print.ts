import type { ContractSide } from '../../contract/rules.ts'
import type { RentUnit } from '../../equipment/rules.ts'

const units = { M: '月', D: '天', S: '台班', H: '小时', V: 'm³', L: '延米', P: '次' } satisfies Record<RentUnit, string>

/** The words of a PDF that are not those of the text which both sides confirm. `{…}` is filled in when the pages are drawn. */
export const printWords = {
  pages: '第 {page} 页 / 共 {pages} 页',
  printNo: (no: number) => `第 ${no} 次打印`,
  replaced: '字库未收录的字以 Unicode 编码写出：{signs}',
  version: (revision: number) => `第 ${revision} 版`,
  textHash: (hash: string) => `中文文本 SHA-256：${hash}`,
  scan: '扫码查看合同',
  /** Above a text that is not the binding one; empty where it is. */
  forReading: '',
  /** Instead, where the text of an older version was kept in Chinese alone. */
  noReading: '',
  watermark: { draft: '草稿', sent: '未生效', voided: '已作废' },
  account: '出租方收款账户',
  /** Of the sentence about it, which has no label of its own. */
  accountTerms: '收款账户的变更',
  sealedScan: '盖章扫描件',
  endReason: '结束原因',
  columns: {
    no: '机位',
    machine: '设备',
    qty: '数量',
    price: '每台单价\n（含税，元）',
    dates: '租期',
    fees: '一次性费用\n（每台）',
    amount: '金额\n（含税，元）',
  },
  perUnit: (price: string, unit: RentUnit) => `${price}/${units[unit]}`,
  eachPerUnit: (price: string, unit: RentUnit) => `每台 ${price}/${units[unit]}`,
  since: (day: string) => `自 ${day} 起`,
  taxed: (rate: number, invoice: string) => `含税 ${rate}%，${invoice}`,
  until: (day: string) => `至 ${day} 前一日`,
  atLeast: (days: number) => `最短计费 ${days} 日`,
  duties: (driver: boolean, fuel: boolean) => `${driver ? '含' : '不含'}操作人员，${fuel ? '含' : '不含'}油料`,
  none: '无',
  /** A sum in figures and in capitals; the capitals are Chinese, which only the Chinese text needs. */
  sum: (amount: string, capital: string) => `¥${amount}（${capital}）`,
  total: (capital: string) => `合计（含税，暂估） ${capital}`,
  confirmations: '确认记录',
  unconfirmed: '双方均未确认。',
  confirmed: {
    send: '发送并确认合同文本',
    confirm: '确认合同文本，合同生效',
    change: '提出并确认补充协议',
    changeConfirm: '确认补充协议，补充协议生效',
  },
  columnsOfConfirmation: { at: '时间', side: '一方', what: '事项与哈希（SHA-256）', who: '经办人' },
  otherSide: '对方人员',
  seal: (side: string, company: string) => `${side}（盖章）：${company}`,
  /** Above seals that found no room on the page of the confirmations. */
  signaturePage: (of: string) => `本页为${of} 的签署页，无正文。`,
  signer: '授权代表（签字）：',
  signedOn: '日期：　　　　年　　月　　日',
  made: (site: string, moment: string) => `${site}于 ${moment} 按平台所存内容生成；页脚的哈希可与平台合同页所示逐字核对。`,
  change: {
    title: '补充协议',
    of: (code: string, title: string) => `原合同：${title}（${code}）`,
    hash: (hash: string) => `补充协议 SHA-256：${hash}`,
    watermark: { sent: '未生效', refused: '已拒绝', withdrawn: '已撤回', stopped: '已叫停' },
    kind: '变更事项',
    from: '生效日期',
    reason: '变更原因',
    answer: { lessee: '承租方答复', lessor: '出租方答复' } satisfies Record<ContractSide, string>,
    holdsFrom: '新账户生效时间',
    lastDay: '合同终止日',
    penalty: '违约金',
    noPenalty: '双方互不支付违约金',
    penaltyBy: (payer: string, amount: string) => `由${payer}支付 ${amount}`,
    account: '新收款账户',
    changes: '变更内容',
    columns: { what: '项目', before: '原约定', after: '现约定' },
    position: (no: number, name: string) => `${no} 号机位：${name}`,
    amounts: '合同金额（含税，暂估）',
    before: '变更前',
    after: '变更后',
    rest: '未变更的内容，仍按原合同执行。',
    pending: { lessee: '尚待承租方确认。', lessor: '尚待出租方确认。' } satisfies Record<ContractSide, string>,
  },
}
