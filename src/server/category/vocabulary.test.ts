import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexOf, type SearchCategory } from '#shared/search/vocabulary.ts'
import { understand, withoutPart } from '#shared/search/understand.ts'

type Source = {
  tree: { children: { id: number; name: string; alias: string[]; params: { key: string; unit: string; main: number }[] }[] }[]
}
const { tree } = JSON.parse(readFileSync('db/seed/categories.json', 'utf8')) as Source
const english: Record<number, string> = { 101: 'Crawler excavator', 106: 'Wheel loader', 201: 'Tower crane', 203: 'Truck crane' }
const categories: SearchCategory[] = tree
  .flatMap(({ children }) => children)
  .map(({ id, name, alias, params }) => ({
    id,
    name,
    nameEn: english[id] ?? '',
    alias,
    params: params.map(({ key, unit, main }) => ({ key, unit, main: main === 1, type: 'number' as const })),
  }))
const index = indexOf({
  categories,
  brands: [
    { brand: '徐工', brandEn: 'XCMG' },
    { brand: '三一', brandEn: 'SANY' },
    { brand: '柳工', brandEn: 'LiuGong' },
    { brand: 'Liebherr', brandEn: 'Liebherr' },
    { brand: '其他', brandEn: 'Other' },
    { brand: '成都', brandEn: 'Chengdu' },
    { brand: '80', brandEn: '80' },
  ],
  regions: [
    { code: 110_100, name: '北京市', nameEn: 'Beijing' },
    { code: 110_000, name: '北京市', nameEn: 'Beijing' },
    { code: 320_500, name: '苏州市', nameEn: 'Suzhou' },
    { code: 341_300, name: '宿州市', nameEn: 'Suzhou' },
    { code: 510_000, name: '四川省', nameEn: 'Sichuan' },
    { code: 510_100, name: '成都市', nameEn: 'Chengdu' },
    { code: 513_400, name: '凉山彝族自治州', nameEn: 'Liangshan' },
    { code: 650_000, name: '新疆维吾尔自治区', nameEn: 'Xinjiang' },
  ],
})

/** The meaning in one line: places, ranges and words. */
const meaning = (typed: string) => {
  const { provinceId, cityId, ranges, specs, words } = understand(index, typed)
  const place = cityId ?? provinceId
  return [
    ...(place === undefined ? [] : [`@${place}`]),
    ...ranges.map(({ categoryIds, min, max }) => categoryIds.join(',') + (min === undefined ? '' : `:${min}..${max}`)),
    ...specs.map(({ key, min, max }) => `${key}:${min}..${max}`),
    ...(words ? [`"${words}"`] : []),
  ].join(' ')
}

describe('a search is understood', () => {
  test.each([
    ['25吨汽车吊', '203:22.5..27.5'],
    ['汽车吊 25 吨', '203:22.5..27.5'],
    ['25T 汽车吊', '203:22.5..27.5'],
    ['２５吨汽车吊', '203:22.5..27.5'],
    ['25 汽车吊', '203:22.5..27.5'],
    ['25吨吊车出租', '203:22.5..27.5'],
    ['25吨徐工汽车吊', '203:22.5..27.5 "徐工"'],
    ['成都25吨汽车吊', '@510100 203:22.5..27.5'],
    ['徐工汽车吊', '"徐工 汽车吊"'],
    ['20吨挖掘机', '101,102,103:18..22'],
    ['12米剪叉', '301:10.8..13.2'],
    ['QTZ80', '201:72..88'],
    ['80塔吊', '201:72..88'],
    ['80', '"80"'],
    ['50米塔吊', 'jib:45..55 "塔吊"'],
    ['成都 挖机', '@510100 "挖机"'],
    ['成都市挖机', '@510100 "挖机"'],
    ['四川成都挖机', '@510100 "挖机"'],
    ['凉山 塔吊', '@513400 "塔吊"'],
    ['新疆 塔吊', '@650000 "塔吊"'],
    ['北京', '@110000'],
    ['人货梯', '"人货梯"'],
    ['50铲车', '106:4.5..5.5'],
    ['215挖机', '101:19.35..23.65'],
    ['3方搅拌车', '405:2.7..3.3'],
    ['1吨滑移', '107:900..1100'],
    ['truck crane 25t', '203:22.5..27.5'],
    ['tower cranes', '201'],
    ['XCMG truck crane 25t', '203:22.5..27.5 "徐工"'],
    ['Chengdu excavator', '@510100 101'],
    ['Beijing', '@110000'],
    ['Suzhou', '"Suzhou"'],
    ['苏州', '@320500'],
    ['XCT25', '"XCT25"'],
    ['徐工XCT25', '"徐工 XCT25"'],
    ['TC6013A-6', '"TC6013A-6"'],
    ['25', '"25"'],
    ['柳工 856H', '"柳工 856H"'],
    ['渝昌高铁5标', '"渝昌高铁5标"'],
    ['设备', '"设备"'],
    ['其他', '"其他"'],
    ['12米 25吨汽车吊', '203:22.5..27.5 mainBoom:10.8..13.2'],
    ['', ''],
  ])('%s', (typed, expected) => expect(meaning(typed)).toBe(expected))

  test('a size without a category means each one that is measured so', () => {
    const ofTon = understand(index, '25t').ranges.find(({ categoryIds }) => categoryIds.includes(203))
    expect(ofTon).toMatchObject({ min: 22.5, max: 27.5, categoryIds: expect.arrayContaining([101, 203, 204, 601]) })
    expect(ofTon?.categoryIds).not.toContain(201)
  })

  test('every part is shown by what it was understood as, and can be removed', () => {
    const { parts } = understand(index, '成都25吨徐工汽车吊 二手')
    expect(parts.map(({ kind, label, labelEn }) => [kind, label, labelEn])).toEqual([
      ['region', '成都市', 'Chengdu'],
      ['size', '25 t', '25 t'],
      ['brand', '徐工', 'XCMG'],
      ['category', '汽车吊', '汽车吊'],
      ['word', '二手', '二手'],
    ])
    expect(meaning(withoutPart(parts, 1))).toBe('@510100 "徐工 汽车吊 二手"')
    expect(meaning(withoutPart(parts, 0))).toBe('203:22.5..27.5 "徐工 二手"')
  })

  test('nothing that is typed throws, loses its letters, or grows', () => {
    const pieces = ['25', '吨', 't', '汽车吊', '塔吊', '成都', '徐工', ' ', '%', 'İ', '𠮷', '①', '㎡', '-', '.', '米', '出租', 'crane']
    const arbitraryText = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(arbitraryText, (text) => {
        const { parts, words, ranges } = understand(index, text)
        const letters = text.normalize('NFKC').replace(/\s+/g, '')
        const typed = [letters, letters.toLowerCase()]
        for (const one of [...parts.map((part) => part.text.replace(/\s+/g, '')), ...words.split(' ')])
          expect(typed.some((whole) => whole.includes(one))).toBe(true)
        for (const { min = 0, max = 0 } of ranges) expect(min).toBeLessThanOrEqual(max)
        for (const at of parts.keys()) understand(index, withoutPart(parts, at))
      }),
    )
  })
})

test('the units of all parameters read the same in both languages', () => {
  const units = tree.flatMap(({ children }) => children.flatMap(({ params }) => params.map(({ unit }) => unit)))
  expect(units.filter((unit) => /\p{Script=Han}/u.test(unit))).toEqual([])
})
