import type { RentUnit } from '#shared/equipment/rules.ts'

/** The kinds of firms in the market. A firm owns machines of its trade and of nothing else. */
export type Trade = 'earth' | 'tower' | 'lift' | 'crane' | 'pile' | 'road' | 'concrete' | 'haul' | 'power' | 'tunnel' | 'bridge' | 'marine'

/**
 * A class of machines: what firms of its trade own, with an indicative month rent in yuan (own knowledge) of the bare machine. With a driver
 * the rent is higher by the driver's wages.
 */
export type MachineClass = {
  trade: Trade
  category: number
  value: number
  rent: number
  specs: Record<string, number | string>
  models: [brand: string, model: string][]
  /** Let with its driver; otherwise bare. */
  driver: boolean
  /** Every firm of the trade in the provinces with most business has some, so that a demand for them draws several quotes. */
  dense: boolean
  /** Units of a lot: small machines that are let by the dozen. */
  lot: number
  /** Prices of units that no month rent can be computed into, in yuan. */
  byWork: Partial<Record<RentUnit, number>>
}

type More = Partial<Pick<MachineClass, 'dense' | 'lot' | 'byWork' | 'specs' | 'driver'>>
const many = { dense: true } as const
const bare = { driver: false } as const

const of =
  (trade: Trade, driver: boolean) =>
  (category: number, value: number, rent: number, models: string, more: More = {}) => ({
    trade,
    category,
    value,
    rent,
    specs: {},
    driver,
    dense: false,
    lot: 1,
    byWork: {},
    ...more,
    models: models.split(';').map((model): [string, string] => {
      const at = model.indexOf(' ')
      return [model.slice(0, at), model.slice(at + 1)]
    }),
  })

const earth = of('earth', true)
const tower = of('tower', false)
const lift = of('lift', false)
const crane = of('crane', true)
const pile = of('pile', true)
const road = of('road', true)
const concrete = of('concrete', false)
const haul = of('haul', true)
const power = of('power', false)
const tunnel = of('tunnel', false)
const bridge = of('bridge', false)
const marine = of('marine', true)
const electric = { drive: '电动' }
const diesel = { drive: '柴油' }

export const machineClasses: readonly MachineClass[] = [
  earth(101, 13.5, 11_800, '三一 SY135C;徐工 XE135D', { specs: { bucket: 0.55, power: 73, digDepth: 5500 } }),
  earth(101, 21.9, 17_200, '三一 SY215C;徐工 XE215DA;柳工 922F;小松 PC210-10M0', {
    ...many,
    specs: { bucket: 1, power: 118, digDepth: 6600 },
  }),
  earth(101, 33.5, 31_500, '三一 SY335C;卡特 336GC', { specs: { bucket: 1.6, power: 190, digDepth: 7300 } }),
  earth(102, 6, 9200, '三一 SY60C;徐工 XE60DA;久保田 KX155-5', { ...bare, specs: { bucket: 0.21, tail: '有尾' } }),
  earth(103, 14.5, 9600, '徐工 XE150WB;柳工 915W', { specs: { bucket: 0.58, speed: 32 } }),
  earth(104, 18, 37_000, '三一 SY245C长臂', { specs: { opWeight: 26, bucket: 0.4 } }),
  earth(105, 74, 7800, '徐工 XC870K;柳工 777A', { specs: { loaderBucket: 1, digDepth: 4400 } }),
  earth(106, 3, 5600, '柳工 836N;临工 L936', { specs: { bucket: 1.7, power: 92 } }),
  earth(106, 5, 8700, '柳工 856H;临工 L956F;徐工 LW500KV', { ...many, specs: { bucket: 3, power: 162 } }),
  earth(107, 1050, 9300, '徐工 XC740K;山猫 S550', { ...bare, specs: { power: 55 } }),
  earth(108, 120, 12_800, '山推 SD16;卡特 D6', { specs: { bladeVol: 4.5, shoe: '标准' } }),
  earth(108, 162, 20_500, '山推 SD22', { specs: { bladeVol: 6.4, shoe: '标准' } }),
  earth(110, 12, 26_000, '山推 ZS12', { specs: { power: 220 } }),
  earth(111, 155, 4600, '水山 SB81;艾迪 HMB1550', { ...bare, specs: { carrier: 32 } }),
  tower(201, 63, 5800, '中联 TC5610-6;徐工 XGT5610', { specs: { maxLoad: 6, jib: 56, tipLoad: 1, freeHeight: 40, maxHeight: 220 } }),
  tower(201, 80, 7400, '中联 TC6013A-6;徐工 XGT6013A-6;三一 SYT80', {
    ...many,
    specs: { maxLoad: 6, jib: 60, tipLoad: 1.3, freeHeight: 40, maxHeight: 220 },
  }),
  tower(201, 125, 13_600, '中联 TC6515-8;徐工 XGT6515-8S', {
    specs: { maxLoad: 8, jib: 65, tipLoad: 1.5, freeHeight: 46, maxHeight: 250 },
  }),
  tower(201, 160, 17_900, '中联 TC7013-10;三一 SYT160', { specs: { maxLoad: 10, jib: 70, tipLoad: 1.3, freeHeight: 51, maxHeight: 260 } }),
  tower(201, 315, 45_000, '中联 TC7035B-16', { specs: { maxLoad: 16, jib: 70, tipLoad: 3.5, freeHeight: 60, maxHeight: 300 } }),
  tower(202, 180, 31_000, '徐工 XGTL180', { specs: { maxLoad: 10, jib: 50 } }),
  tower(202, 230, 38_500, '永茂 STL230', { specs: { maxLoad: 16, jib: 55 } }),
  tower(208, 2000, 8600, '中联 SC200/200;京龙 SC200/200;徐工 SC200/200', { ...many, specs: { cages: 2, liftHeight: 150, speed: 36 } }),
  tower(209, 1000, 2100, '京龙 SSD100', { specs: { liftHeight: 60 } }),
  tower(209, 1600, 2700, '京龙 SSE160', { specs: { liftHeight: 80 } }),
  tower(212, 50, 1400, '大力 JK5', { specs: { rope: 250 } }),
  lift(301, 8, 950, '鼎力 JCPT0808DC;星邦 GTJZ0808', { lot: 12, specs: { ...electric, capacity: 230, width: 830 } }),
  lift(301, 10, 1180, '鼎力 JCPT1012DC;星邦 GTJZ1012', { ...many, lot: 10, specs: { ...electric, capacity: 320, width: 1150 } }),
  lift(301, 12, 1500, '鼎力 JCPT1412DC;临工重机 AS1212;中联 ZS1212HD', {
    ...many,
    lot: 12,
    specs: { ...electric, capacity: 320, width: 1150 },
  }),
  lift(301, 14, 1850, '临工重机 AS1413;中联 ZS1414HD', { lot: 6, specs: { ...electric, capacity: 320, width: 1400 } }),
  lift(301, 16, 4200, '鼎力 JCPT1823RT', { specs: { ...diesel, capacity: 680, width: 2300 } }),
  lift(302, 16, 5200, '中联 ZA16JE;徐工 GTBZ16', { specs: { ...electric, outreach: 8, capacity: 230 } }),
  lift(302, 20, 6800, '中联 ZA20J;徐工 GTBZ20', { specs: { ...diesel, outreach: 11, capacity: 230 } }),
  lift(303, 28, 10_500, '中联 ZT28J;星邦 GTBZ28', { specs: { outreach: 21, capacity: 230 } }),
  lift(303, 42, 24_500, '徐工 GTBZ42', { specs: { outreach: 24, capacity: 340 } }),
  lift(304, 9, 1700, '鼎力 AMWP9.5', { specs: { capacity: 150 } }),
  lift(305, 22, 13_500, '徐工 XGS5080;海伦哲 XHZ5064', { driver: true, specs: { capacity: 200 } }),
  lift(306, 4, 15_500, '徐工 XC6-4517K;曼尼通 MT1840', { specs: { liftHeight: 17 } }),
  lift(307, 630, 620, '申锡 ZLP630', { lot: 30, specs: { length: 6 } }),
  crane(203, 12, 10_800, '徐工 XCT12L3', { specs: { mainBoom: 31, axles: 2 } }),
  crane(203, 25, 17_300, '徐工 XCT25L5;三一 STC250;中联 ZTC250', { ...many, specs: { mainBoom: 42, jib: 8, axles: 3 } }),
  crane(203, 50, 37_000, '三一 STC500;徐工 XCT55L6', { specs: { mainBoom: 44, jib: 16, axles: 4 } }),
  crane(203, 80, 64_000, '三一 STC800;中联 ZTC800', { specs: { mainBoom: 47, jib: 17, axles: 4 } }),
  crane(204, 130, 152_000, '徐工 XCA130', { specs: { mainBoom: 61 } }),
  crane(204, 220, 248_000, '徐工 XCA220;三一 SAC2200', { specs: { mainBoom: 73 } }),
  crane(205, 55, 33_500, '徐工 XGC55', { specs: { momentMax: 203, mainBoom: 52 } }),
  crane(205, 85, 49_500, '徐工 XGC85;三一 SCC850', { specs: { momentMax: 315, mainBoom: 58 } }),
  crane(205, 150, 98_000, '徐工 XGC150', { specs: { momentMax: 894, mainBoom: 75 } }),
  crane(206, 30, 24_500, '徐工 XCR30;三一 SRC300', { specs: { mainBoom: 30 } }),
  crane(207, 6.3, 8200, '徐工 SQ6.3', { specs: { momentMax: 15, payload: 8 } }),
  crane(207, 12, 11_000, '徐工 SQ12;三一帕尔菲格 SPS300', { specs: { momentMax: 30, payload: 12 } }),
  crane(210, 10, 7600, '卫华 MH10-18', { ...bare, specs: { span: 18, liftHeight: 9 } }),
  crane(210, 50, 27_000, '卫华 MG50-28', { ...bare, specs: { span: 28, liftHeight: 12 } }),
  crane(211, 10, 5200, '卫华 LD10-16.5', { ...bare, specs: { span: 16.5 } }),
  concrete(401, 56, 79_000, '三一 SYM5449THB-56;中联 56X-6RZ', { driver: true, specs: { output: 170 }, byWork: { V: 30 } }),
  concrete(402, 100, 24_000, '三一 SY5143THB-10018', { driver: true, specs: { pressure: 18 }, byWork: { V: 16 } }),
  concrete(403, 80, 15_500, '三一 HBT8018C;中联 HBT80', { specs: { pressure: 18, power: 110 }, byWork: { V: 13 } }),
  concrete(404, 28, 12_500, '三一 HGY28;中联 HGY28', { specs: { type: '液压' } }),
  concrete(405, 12, 16_200, '三一 SY412C;徐工 G12', { driver: true, byWork: { V: 38 } }),
  concrete(406, 120, 46_000, '中联 HZS120', { specs: { mixer: 'JS2000' } }),
  concrete(406, 180, 73_000, '中联 HZS180;三一 HZS180', { specs: { mixer: 'JS3000' } }),
  concrete(407, 500, 2200, '方圆 JS500'),
  concrete(408, 7, 8600, '耿力 PC7'),
  concrete(409, 6, 2300, '方圆 SJ6'),
  concrete(410, 7.5, 1500, '方圆 DMD900'),
  pile(501, 220, 79_000, '三一 SR220;徐工 XR220', { specs: { dia: 2000, depth: 67, weight: 70 }, byWork: { L: 210 } }),
  pile(501, 285, 109_000, '三一 SR285;徐工 XR280E;中联 ZR280', {
    ...many,
    specs: { dia: 2300, depth: 88, weight: 92 },
    byWork: { L: 280 },
  }),
  pile(502, 28, 44_000, '山河智能 SWSD28', { specs: { dia: 800 }, byWork: { L: 45 } }),
  pile(503, 6, 9800, '永安 CK6', { specs: { dia: 1800 }, byWork: { L: 240 } }),
  pile(504, 2000, 31_000, '上工 GPS-20', { specs: { depth: 80 }, byWork: { L: 260 } }),
  pile(505, 8600, 74_000, '山河智能 ZYJ860', { byWork: { L: 32 } }),
  pile(506, 6.2, 52_000, '永安 D62', { byWork: { L: 40 } }),
  pile(507, 570, 17_500, '永安 DZ90', { specs: { power: 90 } }),
  pile(508, 3, 146_000, '上工 ZKD85-3', { specs: { dia: 850, depth: 30 }, byWork: { V: 165 } }),
  pile(509, 30, 36_000, '上工 XPL-30', { specs: { pressure: 40 }, byWork: { L: 130 } }),
  pile(510, 70, 178_000, '金泰 SG60;徐工 XG480', { specs: { thick: 1200 } }),
  pile(512, 150, 19_500, '志高 ZGYX-452', { specs: { depth: 30 }, byWork: { L: 38 } }),
  pile(513, 3500, 72_000, '宇通重工 YTQH350'),
  road(109, 160, 15_800, '徐工 GR215;柳工 4180D', { specs: { bladeWidth: 4270 } }),
  road(601, 20, 6900, '徐工 XS203J;柳工 6620E', { specs: { exciting: '353/245' } }),
  road(601, 26, 8600, '徐工 XS263J;柳工 6626E;三一 SSR260', { ...many, specs: { exciting: '405/290' } }),
  road(602, 13, 16_400, '徐工 XD133;宝马格 BW203', { specs: { drumWidth: 2130 } }),
  road(603, 30, 10_800, '徐工 XP303;三一 SPR300'),
  road(604, 25, 22_000, '徐工 YCT25'),
  road(605, 120, 1900, '徐工 HP120', bare),
  road(606, 9.5, 102_000, '福格勒 SUPER-1800-3;徐工 RP953', { specs: { power: 127 } }),
  road(607, 6, 98_000, '维特根 SP64'),
  road(608, 1000, 34_000, '维特根 W100', { specs: { depth: 300 } }),
  road(608, 2000, 84_000, '维特根 W200;徐工 XM200', { specs: { depth: 320 } }),
  road(609, 2.4, 58_000, '维特根 WR240', { specs: { depth: 500 } }),
  road(610, 600, 43_000, '西筑 WBZ600', bare),
  road(611, 320, 285_000, '西筑 JD4000', bare),
  road(612, 10, 20_500, '达刚 DGL5160'),
  road(613, 3.5, 9800, '达刚 QS3500'),
  haul(901, 31, 20_500, '重汽 豪沃8×4;陕汽 德龙X3000', { specs: { volume: 20 } }),
  haul(902, 60, 27_000, '同力 TL875;徐工 XG90', { specs: { volume: 40 } }),
  haul(903, 30, 28_000, '解放 30t低平板', { specs: { axles: 3 } }),
  haul(903, 60, 46_000, '解放 60t低平板', { specs: { axles: 6 } }),
  haul(904, 10, 13_000, '解放 J6L;东风 天锦'),
  haul(905, 12, 6200, '东风 12m³洒水车'),
  haul(906, 10, 9000, '东风 10m³加油车'),
  haul(907, 3, 2800, '合力 CPCD30;杭叉 CPCD30', { ...bare, specs: { liftHeight: 3000 } }),
  haul(907, 5, 5600, '合力 CPCD50', { ...bare, specs: { liftHeight: 3000 } }),
  haul(908, 3, 3100, '合力 CPD30;杭叉 CPD30', { ...bare, specs: { liftHeight: 3000 } }),
  haul(909, 5, 5200, '山推 MST5', bare),
  power(1001, 100, 5300, '玉柴 YC100GF', { specs: { silent: '静音' } }),
  power(1001, 300, 10_500, '玉柴 YC300GF;康明斯 C300D5', { specs: { silent: '静音' } }),
  power(1001, 800, 28_000, '康明斯 C800D5', { specs: { silent: '静音' } }),
  power(1002, 18, 10_800, '开山 LGCY-18/17', { specs: { ...diesel, pressure: 1.7 } }),
  power(1002, 20, 8200, '开山 LG-20/8', { specs: { ...electric, pressure: 0.8 } }),
  power(1003, 630, 3500, '特变电工 YBW-12/0.4-630', { specs: { voltage: 10 } }),
  power(1003, 1250, 5800, '特变电工 YBW-12/0.4-1250', { specs: { voltage: 10 } }),
  power(1004, 400, 420, '正泰 XL-21', { lot: 12 }),
  power(1005, 4, 2400, '开山 4TN4000', { lot: 8, specs: { mast: 9 } }),
  power(1006, 200, 12_500, '徐工 XES200', { specs: { power: 100 } }),
  power(1102, 2000, 14_000, '建科 HL2000', { specs: { length: 12 } }),
  power(1101, 13, 8400, '建科 WG13'),
  power(1103, 40, 760, '建科 GQ40'),
  power(1104, 40, 740, '建科 HGS-40'),
  power(1105, 500, 450, '时代 NBC-500', { lot: 20, specs: { process: '二保' } }),
  power(1106, 1500, 6600, '欧维姆 YCW150'),
  power(1201, 100, 800, '新界 QW100', { lot: 15, specs: { head: 30 } }),
  power(1202, 250, 9600, '宜昌黑旋风 ZX-250'),
  power(1203, 250, 21_500, '景津 XMZ250'),
  power(1204, 220, 4700, '侯马 SDF-2×110kW', { specs: { flow: 2300 } }),
  power(1205, 60, 1900, '达刚 WP60'),
  power(1206, 4, 1700, '达刚 XC4'),
  power(1207, 300, 139_000, '南方路机 NFLG-300'),
  tunnel(701, 6.28, 620_000, '中铁装备 CTE6280', { specs: { thrust: 40_000, torque: 6500 }, byWork: { L: 7800 } }),
  tunnel(702, 6.68, 780_000, '铁建重工 DZ6680', { specs: { thrust: 42_000 }, byWork: { L: 9600 } }),
  tunnel(703, 1500, 62_000, '安徽唐兴 NPD1500', { byWork: { L: 1900 } }),
  tunnel(704, 3, 205_000, '铁建重工 ZYS113', { specs: { cover: 180 } }),
  tunnel(705, 30, 54_000, '铁建重工 HPS3016', { specs: { reach: 16 } }),
  tunnel(706, 12, 32_000, '铁建重工 ZY12', { specs: { section: '双线铁路' } }),
  tunnel(707, 24, 18_500, '铁建重工 ZQ24'),
  tunnel(708, 320, 192_000, '三一 EBZ318;徐工 EBZ320'),
  tunnel(709, 320, 48_000, '徐工 XZ320;谷登 GD320', { specs: { torque: 12_000 } }),
  tunnel(710, 180, 31_000, '三一 LWT180'),
  tunnel(711, 45, 27_000, '铁建重工 CTY45'),
  bridge(801, 180, 108_000, '通用重工 JQ180/40', { specs: { span: 40, slope: 3 } }),
  bridge(802, 160, 56_000, '邯郸中铁 ME160', { specs: { span: 36 } }),
  bridge(803, 180, 44_000, '通用重工 YLC180'),
  bridge(804, 50, 320_000, '邯郸中铁 MSS50', { specs: { weight: 650 } }),
  bridge(805, 200, 22_500, '通用重工 GL200'),
  bridge(807, 160, 165_000, '通用重工 LQ160', { specs: { span: 480 } }),
  bridge(808, 22, 96_000, '徐工 XZJ5320', { driver: true }),
  marine(1302, 200, 340_000, '振华重工 浮吊200'),
  marine(1303, 2000, 148_000, '振华重工 驳2000'),
  marine(1304, 8, 520_000, '振华重工 抓斗8'),
]
