import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capitalAmount } from './capital.ts'

test.each([
  [0, '人民币零元整'],
  [1, '人民币壹分'],
  [10, '人民币壹角整'],
  [105, '人民币壹元零伍分'],
  [1_234_500, '人民币壹万贰仟叁佰肆拾伍元整'],
  [1_000_000, '人民币壹万元整'],
  [10_010_000, '人民币壹拾万零壹佰元整'],
  [100_000_500_00, '人民币壹亿零伍佰元整'],
  [1_680_320, '人民币壹万陆仟捌佰零叁元贰角整'],
  [10_700_053, '人民币壹拾万柒仟元伍角叁分'],
  [20_000_001_00, '人民币贰仟万零壹元整'],
  [-500, '人民币负伍元整'],
])('%i fen is %s', (fen, words) => expect(capitalAmount(fen)).toBe(words))

const digit: Record<string, number> = { 零: 0, 壹: 1, 贰: 2, 叁: 3, 肆: 4, 伍: 5, 陆: 6, 柒: 7, 捌: 8, 玖: 9 }
const place: Record<string, number> = { 拾: 10, 佰: 100, 仟: 1000 }

/** Reads the words back. */
function fenOf(words: string): number {
  let total = 0
  let group = 0
  let last = 0
  for (const sign of words.replace('人民币', '')) {
    if (sign in digit) last = digit[sign] ?? 0
    else if (sign in place) {
      group += last * (place[sign] ?? 0)
      last = 0
    } else if (sign === '万' || sign === '亿' || sign === '元') {
      total = sign === '亿' ? (total + group + last) * 100_000_000 : sign === '万' ? total + (group + last) * 10_000 : total + group + last
      group = 0
      last = 0
    } else if (sign === '角') {
      total += last / 10
      last = 0
    } else if (sign === '分') total += last / 100
  }
  return Math.round(total * 100)
}

test('every amount is read back as it was, with no zero said twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (fen) => {
      const words = capitalAmount(fen)
      expect(fenOf(words)).toBe(fen)
      expect(words).not.toMatch(/零零|零[万亿元]/)
    }),
  )
})
