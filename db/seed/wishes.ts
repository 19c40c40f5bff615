import type { RentUnit } from '#shared/equipment/rules.ts'
import { machineClasses, type MachineClass } from './machines.ts'

/** What a site asks for in one demand: machines of one trade, and who pays for the driver and the fuel. */
export type Wish = { lines: [category: number, value: number][]; operatorBy: 'lessor' | 'lessee'; fuelBy: 'lessor' | 'lessee' }

const wishes = {
  earth: {
    lines: [
      [101, 21.9],
      [106, 5],
      [601, 26],
      [101, 33.5],
      [108, 120],
      [101, 13.5],
      [103, 14.5],
    ],
    operatorBy: 'lessor',
    fuelBy: 'lessee',
  },
  grading: {
    lines: [
      [108, 120],
      [101, 13.5],
      [104, 18],
    ],
    operatorBy: 'lessor',
    fuelBy: 'lessee',
  },
  building: {
    lines: [
      [201, 80],
      [208, 2000],
      [201, 63],
      [201, 125],
      [209, 1600],
    ],
    operatorBy: 'lessee',
    fuelBy: 'lessee',
  },
  lifts: {
    lines: [
      [301, 12],
      [301, 10],
      [301, 8],
      [302, 20],
      [303, 28],
      [307, 630],
    ],
    operatorBy: 'lessee',
    fuelBy: 'lessee',
  },
  hoisting: {
    lines: [
      [203, 25],
      [203, 50],
      [207, 12],
      [203, 80],
      [203, 12],
    ],
    operatorBy: 'lessor',
    fuelBy: 'lessor',
  },
  piling: {
    lines: [
      [501, 285],
      [501, 220],
      [505, 8600],
      [502, 28],
      [507, 570],
    ],
    operatorBy: 'lessor',
    fuelBy: 'lessee',
  },
  road: {
    lines: [
      [601, 26],
      [603, 30],
      [606, 9.5],
      [602, 13],
      [109, 160],
      [608, 2000],
    ],
    operatorBy: 'lessor',
    fuelBy: 'lessee',
  },
  concrete: {
    lines: [
      [405, 12],
      [401, 56],
    ],
    operatorBy: 'lessor',
    fuelBy: 'lessor',
  },
  plant: {
    lines: [
      [406, 180],
      [403, 80],
      [404, 28],
    ],
    operatorBy: 'lessee',
    fuelBy: 'lessee',
  },
  power: {
    lines: [
      [1001, 300],
      [1003, 630],
      [1002, 18],
      [1005, 4],
      [1105, 500],
      [1201, 100],
    ],
    operatorBy: 'lessee',
    fuelBy: 'lessee',
  },
  haul: {
    lines: [
      [901, 31],
      [905, 12],
      [903, 60],
    ],
    operatorBy: 'lessor',
    fuelBy: 'lessor',
  },
  tunnel: {
    lines: [
      [704, 3],
      [705, 30],
      [706, 12],
    ],
    operatorBy: 'lessee',
    fuelBy: 'lessee',
  },
  shield: { lines: [[701, 6.28]], operatorBy: 'lessee', fuelBy: 'lessee' },
  bridge: {
    lines: [
      [801, 180],
      [803, 180],
      [805, 200],
    ],
    operatorBy: 'lessee',
    fuelBy: 'lessee',
  },
} as const satisfies Record<
  string,
  { lines: readonly (readonly [number, number])[]; operatorBy: Wish['operatorBy']; fuelBy: Wish['fuelBy'] }
>
export type WishName = keyof typeof wishes

/** What the sites of each kind of project rent, the usual more than once. */
const ofProject: Readonly<Record<string, readonly WishName[]>> = {
  railway: ['earth', 'earth', 'piling', 'hoisting', 'bridge', 'tunnel', 'power', 'hoisting'],
  highway: ['earth', 'earth', 'road', 'road', 'hoisting', 'bridge', 'tunnel', 'haul'],
  municipal: ['earth', 'hoisting', 'road', 'piling', 'lifts', 'power', 'earth'],
  building: ['building', 'building', 'lifts', 'lifts', 'concrete', 'plant', 'hoisting', 'building'],
  metro: ['piling', 'hoisting', 'shield', 'earth', 'lifts', 'power', 'building'],
  water: ['earth', 'earth', 'piling', 'concrete', 'power', 'hoisting'],
  airport: ['earth', 'road', 'road', 'lifts', 'haul', 'hoisting'],
  port: ['piling', 'hoisting', 'earth', 'plant'],
  other: ['hoisting', 'hoisting', 'earth', 'power', 'lifts'],
}
export const wishesOf = (type: string): readonly WishName[] => ofProject[type] ?? ['earth']

export const wishOf = (name: WishName): Wish => {
  const { lines, ...sides } = wishes[name]
  return { ...sides, lines: lines.map(([category, value]) => [category, value]) }
}

export function classOf([category, value]: readonly [number, number]): MachineClass {
  const found = machineClasses.find((one) => one.category === category && one.value === value)
  if (!found) throw new Error(`no machine class ${category} of ${value}`)
  return found
}

/** The step of the trade that a site asks for: 21 t where the machines weigh 21.9 t. */
export const stepOf = ({ category, value }: MachineClass) => (category === 701 ? value : Math.floor(value))

/** The units in which a site rents the class: what its machines are offered in. */
export function unitsOf({ category, byWork }: MachineClass, priceUnits: readonly string[]): RentUnit[] {
  const units = (priceUnits as RentUnit[]).filter((unit) => ['M', 'S', 'D'].includes(unit) || byWork[unit] !== undefined)
  return category === 401 || category === 405 ? units.filter((unit) => unit === 'V' || unit === 'M') : units
}

/** What sites write beside a line, by the class of the machine; blank where nothing needs saying. */
const remarks: Readonly<Record<number, readonly string[]>> = {
  100: ['', '司机随机，两班作业时加配一名', '便道宽 4 m，进场前踏勘', '须带破碎锤快换接头', ''],
  200: ['', '作业半径 14 m 吊重 3 t', '须带 8 m 副臂', '吊装方案由我方审批，司索指挥由出租方配', ''],
  300: ['', '地下室作业，通道净宽 1.2 m', '室内精装阶段，须实心白胎', '须配充电桩与备用电池', ''],
  400: ['', '夜间浇筑，占道手续由我方办理', '单次方量不少于 200 m³', ''],
  500: ['', '桩径 1.5 m，入中风化岩 2 m', '配截齿钻头与双底捞砂斗', '场地已硬化，可两台同时作业', ''],
  600: ['', '路基 96 区，须带凸块轮', '沥青中面层，须自动找平', '夜间施工，须配照明', ''],
  700: ['', '围岩 IV 级为主，须配易损件', '洞内须尾气净化', ''],
  800: ['', '纵坡 2.5 %，平曲线半径 1500 m', '须提供结构计算书与探伤报告', ''],
  900: ['', '密闭顶盖，定位接入城管平台', '弃土场运距 12 km', ''],
  1000: ['', '须静音箱，七米处不高于 75 dB', '含三十米电缆与接线调试', ''],
  1100: ['', '含焊钳与地线', '', '坏机二十四小时内更换'],
  1200: ['', '扬程按 30 m 选配，含水带', ''],
}
const byCategory: Readonly<Record<number, readonly string[]>> = {
  201: ['', '安装高度 90 m，附着三道', '须与相邻塔机错开高度', '臂长可按 50 m 安装', ''],
  208: ['', '提升高度 100 m，双笼变频', '含楼层呼叫与防护门', ''],
  209: ['', '提升高度 45 m', ''],
  701: ['管片外径 6 m，须配泡沫与膨润土系统'],
}
export const remarksFor = (category: number, group: number): readonly string[] => byCategory[category] ?? remarks[group] ?? ['']
