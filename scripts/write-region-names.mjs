// Writes db/seed/region-names.json: the English name of each region of @vant/area-data, from its pinyin. It is run by hand when that package
// changes, and needs pinyin-pro, which the product does not: npm install --prefix /tmp/pinyin pinyin-pro@3.29.4, then
// node scripts/write-region-names.mjs /tmp/pinyin
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import process from 'node:process'

const folder = resolve(process.argv[2] ?? '.')
const { pinyin } = createRequire(join(folder, 'package.json'))('pinyin-pro')
const { areaList } = createRequire(import.meta.url)('@vant/area-data')

/** Names whose English is no pinyin, or another one than the letters give. */
const fixed = {
  110000: 'Beijing',
  120000: 'Tianjin',
  150000: 'Inner Mongolia',
  310000: 'Shanghai',
  450000: 'Guangxi',
  500000: 'Chongqing',
  540000: 'Xizang',
  610000: 'Shaanxi',
  640000: 'Ningxia',
  650000: 'Xinjiang',
  710000: 'Taiwan',
  810000: 'Hong Kong',
  820000: 'Macao',
  810100: 'Hong Kong Island',
  810200: 'Kowloon',
  810300: 'New Territories',
  820100: 'Macao Peninsula',
  820200: 'Taipa and Coloane',
  990000: 'Overseas',
  990100: 'Overseas',
  150100: 'Hohhot',
  150200: 'Baotou',
  150600: 'Ordos',
  150700: 'Hulunbuir',
  540100: 'Lhasa',
  540200: 'Shigatse',
  650100: 'Urumqi',
  650200: 'Karamay',
  650400: 'Turpan',
  653100: 'Kashgar',
  653200: 'Hotan',
  654000: 'Ili',
  652300: 'Changji',
  341500: "Lu'an",
  230100: 'Harbin',
  230200: 'Qiqihar',
  152500: 'Xilingol',
  152900: 'Alxa',
  150800: 'Bayannur',
  150900: 'Ulanqab',
  419000: 'Directly administered counties',
  429000: 'Directly administered counties',
  469000: 'Directly administered counties',
  659000: 'Directly administered counties',
  500200: 'Counties',
  540300: 'Qamdo',
  542500: 'Ngari',
  440114: 'Huadu District',
  622926: 'Dongxiang County',
  652700: 'Bortala',
  652800: 'Bayingolin',
  652900: 'Aksu',
  653000: 'Kizilsu',
  654300: 'Altay',
  710100: 'Taipei',
  710200: 'Kaohsiung',
  710300: 'Tainan',
  710400: 'Taichung',
}
const peoples =
  /(?:壮族|回族|维吾尔|藏族|羌族|彝族|苗族|侗族|布依族|土家族|白族|傣族|景颇族|哈尼族|傈僳族|蒙古族|蒙古|哈萨克|柯尔克孜|朝鲜族|满族|瑶族|畲族|黎族|仡佬族|水族|纳西族|拉祜族|佤族|仫佬族|毛南族|达斡尔族|鄂温克族|鄂伦春|土族|撒拉族|东乡族|保安族|裕固族|锡伯|塔吉克|普米族|怒族|独龙族|布朗族|各族|塔塔尔|俄罗斯族?|布依)+(?=自治)/u
const kinds = [
  [/自治(?:州|区)$/u, ''],
  [/自治县$/u, ' County'],
  [/自治旗$/u, ' Banner'],
  [/特别行政区$/u, ''],
  [/(?:省|市|盟)$/u, ''],
  [/(?:经济技术开发区|高新技术产业开发区|高新技术开发区|经济开发区|开发区)$/u, ' Development Zone'],
  [/工业园区$/u, ' Industrial Park'],
  [/镇$/u, ' Town'],
  [/乡$/u, ' Township'],
  [/街道$/u, ' Subdistrict'],
  [/地区$/u, ''],
  [/林区$/u, ' Forestry District'],
  [/新区$/u, ' New Area'],
  [/特区$/u, ' District'],
  [/矿区$/u, ' Mining District'],
  [/区$/u, ' District'],
  [/县$/u, ' County'],
  [/旗$/u, ' Banner'],
]

function nameOf(code, name) {
  if (fixed[code]) return fixed[code]
  const short = name.replace(peoples, '')
  const [pattern, suffix] = kinds.find(([one]) => one.test(short)) ?? [/$^/u, '']
  const core = short.replace(pattern, '')
  // A single sign keeps its kind: 吉县 is Jixian, 辖区 has no other name.
  const spoken = core.length === 0 ? short : core.length === 1 ? short : core
  const syllables = pinyin(spoken, { toneType: 'none', type: 'array', surname: 'off' })
  const word = syllables.map((syllable, at) => (at > 0 && /^[aoe]/.test(syllable) ? `'${syllable}` : syllable)).join('')
  return word.charAt(0).toUpperCase() + word.slice(1) + (core.length <= 1 ? '' : suffix)
}

const names = {}
for (const list of [areaList.province_list, areaList.city_list, areaList.county_list])
  for (const [code, name] of Object.entries(list)) if (!code.startsWith('9')) names[code] = nameOf(code, name)
for (const code of ['990000', '990100']) names[code] = fixed[code]
writeFileSync(new URL('../db/seed/region-names.json', import.meta.url), `${JSON.stringify(names)}\n`)
