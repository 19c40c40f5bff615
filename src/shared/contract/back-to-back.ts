// Sentences by which a payment waits for the money of a third party (保障中小企业款项支付条例 第九条). The lessee is 甲方 in our own text and
// may be named as the one who pays; an acceptance or a signature by the employer is a step of the work and no payment.

/** Those who pay the lessee. */
const payer = '(?:业主|建设单位|发包人|发包方|发包单位|总包|总承包|上游|第三方|投资方|投资人|开发商|财政)'
/** The lessee, as a contract may call it. */
const lessee = '(?:甲方|承租方|承租人|我方|我司|项目部|总包|总承包)'
/** Money that comes from above. `进度款` alone is the progress payment of the rent itself. */
const projectMoney = '(?:工程款|工程进度款|工程结算款|工程资金|项目款|项目资金|建设资金|财政资金|专项资金|上游款|资金)'
const arrives = '(?:到账|到帐|到位|到达|到后|落实|下达|下拨|拨付|拨下|回笼|入账|入帐)'
const pays = '(?:付款|支付|拨款|拨付|打款|汇款|回款|结款|放款|付清|结清)'
/** Between the third party and its verb stands nothing that makes somebody else pay, or the third party do something else than pay. */
const untilPaid =
  '(?:(?!后|由|费|罚|扣款|损失|验收|确认|签认|签证|审核|批准|检查|检测|要求|指定|同意|(?<![向给对付])(?:甲方|乙方|承租方|出租方|双方)).)'

const waits = [
  /背靠背|背对背/,
  new RegExp(`${payer}${untilPaid}{0,14}${pays}`),
  // 业主审核并付款后: whatever it does besides, the payment of the third party is waited for.
  new RegExp(`${payer}(?:(?!由|(?<![向给对付])(?:甲方|乙方|承租方|出租方|双方)).){0,20}(?:付款|支付|拨付|拨款)(?:之?后|完成后|到)`),
  new RegExp(`${payer}.{0,8}?(?<![扣罚])(?:款项?|资金|钱).{0,4}?(?:到|落实|下达|下拨|入账|后付|后再|后支付|再付)`),
  new RegExp(`${projectMoney}.{0,4}?${arrives}`),
  // 甲方收到进度款后; a receipt of an invoice or of another paper is none of money.
  new RegExp(
    `${lessee}.{0,8}?(?:收到|收取|收讫|取得|拿到|收回)(?:(?!发票|票据|账单|单据|资料|申请|通知|乙方|出租方|租金|押金|保证金).){0,14}?(?:款|资金|回款)(?!支付申请|申请|单|凭证).{0,4}?(?:后|再|之日|时|前)`,
  ),
  new RegExp(`(?:收到|取得|拿到).{0,8}?(?:${payer}.{0,6}?款|工程款|工程进度款)`),
  /back[- ]to[- ]back|pay[- ](?:when|if)[- ]paid/i,
  /\b(?:owner|employer|client|main contractor|general contractor)(?:'s)?\s(?:has\s|have\s|had\s)?(?:first\s)?(?:paid|pays|payment)\b/i,
  /\b(?:paid|payment|money|funds)\s(?:is\s|are\s|has been\s)?(?:received\s)?(?:by|from)\sthe\s(?:owner|employer|client|main contractor|general contractor)\b/i,
]

/** Says that a payment does not wait for the third party. */
const doesNotWait =
  /不(?:得)?以.*(?:条件|前提|由|依据)|(?:不论|无论|不管).*(?:是否|与否|何时)|不(?:得)?因|无关|不受|不取决于|不(?:得)?(?:采用|约定|实行)|(?:does|shall|must|do) not (?:depend|wait)|whether or not/i
/** The same, said in the words after a comma. */
const isNoExcuse = /^(?:也|均|都|并)?不(?:得)?(?:影响|作为|构成)/

/** Whether a sentence makes a payment wait for a third party's. */
export function isBackToBack(text: string): boolean {
  const parts = text
    .replaceAll(/(?<=[^\x20-\x7e])\s+|\s+(?=[^\x20-\x7e])/g, '')
    .split(/[。；;，,！!\n]/)
    .map((part) => part.trim())
  return parts.some((part, index) => {
    if (!waits.some((pattern) => pattern.test(part))) return false
    return !doesNotWait.test(part) && !isNoExcuse.test(parts[index + 1] ?? '')
  })
}
