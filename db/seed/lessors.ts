import { certificationStatus } from '#shared/certification/rules.ts'
import type { Trade } from './machines.ts'

export type City = { name: string; provinceId: number; cityId: number; districtId: number; district: string; dense?: boolean }

/** Where the firms and the sites of the market are. Most business is in the dense ones. */
export const cities = [
  { name: '成都', provinceId: 510_000, cityId: 510_100, districtId: 510_107, district: '武侯区', dense: true },
  { name: '长沙', provinceId: 430_000, cityId: 430_100, districtId: 430_111, district: '雨花区', dense: true },
  { name: '徐州', provinceId: 320_000, cityId: 320_300, districtId: 320_305, district: '贾汪区', dense: true },
  { name: '武汉', provinceId: 420_000, cityId: 420_100, districtId: 420_106, district: '武昌区', dense: true },
  { name: '广州', provinceId: 440_000, cityId: 440_100, districtId: 440_106, district: '天河区', dense: true },
  { name: '郑州', provinceId: 410_000, cityId: 410_100, districtId: 410_105, district: '金水区' },
  { name: '西安', provinceId: 610_000, cityId: 610_100, districtId: 610_113, district: '雁塔区' },
  { name: '济南', provinceId: 370_000, cityId: 370_100, districtId: 370_102, district: '历下区' },
  { name: '合肥', provinceId: 340_000, cityId: 340_100, districtId: 340_104, district: '蜀山区' },
  { name: '贵阳', provinceId: 520_000, cityId: 520_100, districtId: 520_115, district: '观山湖区' },
  { name: '昆明', provinceId: 530_000, cityId: 530_100, districtId: 530_111, district: '官渡区' },
  { name: '南宁', provinceId: 450_000, cityId: 450_100, districtId: 450_103, district: '青秀区' },
] as const satisfies readonly City[]

const { inReview, passed, rejected, expired } = certificationStatus
/** In review again, in force, sent back or ended. */
type Audit = typeof inReview | typeof passed | typeof rejected | typeof expired
type LessorPlan = { trade: Trade; city: City; audit: Audit }

type CityName = (typeof cities)[number]['name']
const cityOf = (name: CityName) => cities.find((city) => city.name === name) as City
const firms = (audit: Audit, ...list: [Trade, CityName][]): LessorPlan[] =>
  list.map(([trade, city]) => ({ trade, city: cityOf(city), audit }))

/** The firms in the order in which they joined. The demo's two lessors come first, the restricted one is the last that is certified. */
export const lessorPlans: readonly LessorPlan[] = [
  ...firms(
    passed,
    ['earth', '成都'],
    ['earth', '长沙'],
    ['tower', '成都'],
    ['lift', '成都'],
    ['crane', '成都'],
    ['tower', '长沙'],
    ['crane', '长沙'],
    ['earth', '徐州'],
    ['road', '徐州'],
    ['tower', '徐州'],
    ['lift', '徐州'],
    ['earth', '武汉'],
    ['tower', '武汉'],
    ['crane', '武汉'],
    ['pile', '武汉'],
    ['earth', '广州'],
    ['lift', '广州'],
    ['marine', '广州'],
    ['tower', '广州'],
    ['crane', '郑州'],
    ['road', '郑州'],
    ['haul', '西安'],
    ['concrete', '济南'],
    ['pile', '合肥'],
    ['power', '贵阳'],
    ['tunnel', '昆明'],
    ['bridge', '南宁'],
    ['lift', '长沙'],
    ['road', '成都'],
    ['haul', '成都'],
    ['concrete', '武汉'],
    ['power', '广州'],
    ['pile', '成都'],
    ['crane', '西安'],
  ),
  ...firms(inReview, ['earth', '昆明'], ['lift', '西安'], ['tower', '合肥'], ['crane', '南宁'], ['road', '贵阳']),
  ...firms(rejected, ['haul', '郑州'], ['power', '济南'], ['lift', '合肥']),
  ...firms(expired, ['tower', '贵阳'], ['concrete', '昆明']),
]

const planOf = (trade: Trade, city: CityName) => lessorPlans.findIndex((plan) => plan.trade === trade && plan.city.name === city)

/** The one certified firm that the whole platform restricts. */
export const restrictedLessor = lessorPlans.findLastIndex(({ audit }) => audit === passed)

/** Two firms that gave the same phone number: the demo's case of related bidders. By their place in the list. */
export const samePhone = { first: planOf('power', '贵阳'), second: planOf('power', '广州') }

const words = ['恒岳', '昌磐', '鼎隅', '腾垚', '嘉砼', '远擎', '泰衡', '兴筑', '宏砺', '联犇', '盛拓', '固基']

/** City, coined word and trade, as `suffix` says it. No two firms of a city have the same word. */
export const nameOfLessor = (index: number, city: City, suffix: string) =>
  `${city.name}${words[(index * 5 + Math.floor(index / 12)) % words.length]}${suffix}有限公司`
