const digits = ['零', '壹', '贰', '叁', '肆', '伍', '陆', '柒', '捌', '玖']
const places = ['', '拾', '佰', '仟']
const groups = ['', '万', '亿', '万亿']

/**
 * An amount in fen as it is written on contracts and cheques, 人民币壹万贰仟元整 (支付结算办法 附件一). Up to 9 999 999 999 999 999 fen;
 * a negative amount has 负 in front.
 */
export function capitalAmount(fen: number): string {
  if (!Number.isSafeInteger(fen)) throw new RangeError('not a whole number of fen')
  const yuan = Math.floor(Math.abs(fen) / 100)
  const jiao = Math.floor((Math.abs(fen) % 100) / 10)
  const rest = Math.abs(fen) % 10
  const sign = fen < 0 ? '负' : ''
  if (yuan === 0 && jiao === 0 && rest === 0) return '人民币零元整'
  const whole = yuan === 0 ? '' : `${integerOf(yuan)}元`
  if (jiao === 0 && rest === 0) return `人民币${sign}${whole}整`
  const jiaoPart = jiao > 0 ? `${digits[jiao]}角` : yuan > 0 ? '零' : ''
  return `人民币${sign}${whole}${jiaoPart}${rest > 0 ? `${digits[rest]}分` : '整'}`
}

/** Four digits at a time: a zero between digits is said once, one at the end of a group not at all. */
function integerOf(yuan: number): string {
  const parts: string[] = []
  let gap = false
  for (let group = Math.floor((String(yuan).length - 1) / 4); group >= 0; group--) {
    const value = Math.floor(yuan / 10_000 ** group) % 10_000
    if (value === 0) {
      gap = true
      continue
    }
    if (parts.length > 0 && (gap || value < 1000)) parts.push('零')
    parts.push(`${fourOf(value)}${groups[group]}`)
    gap = false
  }
  return parts.join('')
}

function fourOf(value: number): string {
  const text = [...String(value)].map((digit, index, all) =>
    digit === '0' ? '零' : `${digits[Number(digit)]}${places[all.length - 1 - index]}`,
  )
  return text.join('').replace(/零+/g, '零').replace(/零$/, '')
}
