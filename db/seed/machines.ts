/**
 * Classes of machines in the demo market: category, main value, month rent in yuan (indicative, own knowledge), further
 * parameters, brands and models. The first ones are dense, so that a demand for them draws several quotes.
 */
export type MachineClass = {
  category: number
  value: number
  rent: number
  specs?: Record<string, number | string>
  models: [brand: string, model: string][]
  dense?: boolean
  lot?: number
}

export const machineClasses: MachineClass[] = [
  {
    category: 101,
    value: 21.9,
    rent: 26_500,
    specs: { bucket: 1, power: 118, digDepth: 6600 },
    models: [
      ['三一', 'SY215C'],
      ['徐工', 'XE215DA'],
      ['柳工', '922F'],
      ['小松', 'PC210-10M0'],
    ],
    dense: true,
  },
  {
    category: 101,
    value: 33.5,
    rent: 42_000,
    specs: { bucket: 1.6, power: 190, digDepth: 7300 },
    models: [
      ['三一', 'SY335C'],
      ['卡特', '336GC'],
    ],
  },
  {
    category: 102,
    value: 6,
    rent: 9500,
    specs: { bucket: 0.21 },
    models: [
      ['三一', 'SY60C'],
      ['徐工', 'XE60DA'],
      ['久保田', 'KX155-5'],
    ],
  },
  {
    category: 103,
    value: 14.5,
    rent: 16_800,
    specs: { bucket: 0.58 },
    models: [
      ['徐工', 'XE150WB'],
      ['柳工', '915W'],
    ],
  },
  {
    category: 105,
    value: 74,
    rent: 13_500,
    models: [
      ['徐工', 'XC870K'],
      ['柳工', '777A'],
    ],
  },
  {
    category: 106,
    value: 5,
    rent: 17_500,
    specs: { bucket: 3, power: 162 },
    models: [
      ['柳工', '856H'],
      ['临工', 'L956F'],
      ['徐工', 'LW500KV'],
    ],
    dense: true,
  },
  {
    category: 107,
    value: 1050,
    rent: 9800,
    models: [
      ['徐工', 'XC740K'],
      ['山猫', 'S550'],
    ],
  },
  {
    category: 108,
    value: 120,
    rent: 22_000,
    models: [
      ['山推', 'SD16'],
      ['卡特', 'D6'],
    ],
  },
  {
    category: 109,
    value: 160,
    rent: 26_000,
    models: [
      ['徐工', 'GR215'],
      ['柳工', '4180D'],
    ],
  },
  {
    category: 201,
    value: 80,
    rent: 7600,
    specs: { maxLoad: 6, jib: 60, tipLoad: 1.3, freeHeight: 40 },
    models: [
      ['中联', 'TC6013A-6'],
      ['徐工', 'XGT6013A-6'],
      ['三一', 'SYT80'],
    ],
    dense: true,
  },
  { category: 201, value: 63, rent: 5900, specs: { maxLoad: 6, jib: 56, tipLoad: 1, freeHeight: 40 }, models: [['中联', 'TC5610-6']] },
  {
    category: 202,
    value: 180,
    rent: 31_000,
    specs: { maxLoad: 10 },
    models: [
      ['徐工', 'XGTL180'],
      ['永茂', 'STL230'],
    ],
  },
  {
    category: 203,
    value: 25,
    rent: 27_000,
    specs: { mainBoom: 40, axles: 3 },
    models: [
      ['徐工', 'XCT25L5'],
      ['三一', 'STC250'],
      ['中联', 'ZTC250'],
    ],
    dense: true,
  },
  { category: 203, value: 50, rent: 48_000, specs: { mainBoom: 44, axles: 4 }, models: [['三一', 'STC500']] },
  { category: 204, value: 220, rent: 260_000, specs: { mainBoom: 73 }, models: [['徐工', 'XCA220']] },
  {
    category: 205,
    value: 85,
    rent: 61_000,
    specs: { mainBoom: 58 },
    models: [
      ['徐工', 'XGC85'],
      ['三一', 'SCC850'],
    ],
  },
  {
    category: 207,
    value: 12,
    rent: 18_500,
    models: [
      ['徐工', 'SQ12'],
      ['三一帕尔菲格', 'SPS300'],
    ],
  },
  {
    category: 208,
    value: 2000,
    rent: 8600,
    specs: { cages: 2, liftHeight: 150, speed: 36 },
    models: [
      ['中联', 'SC200/200'],
      ['京龙', 'SC200/200'],
    ],
    dense: true,
  },
  { category: 209, value: 1600, rent: 2600, models: [['其他', 'SSD100']] },
  { category: 210, value: 50, rent: 26_000, specs: { span: 28 }, models: [['其他', 'MH50-28']] },
  {
    category: 301,
    value: 12,
    rent: 1500,
    specs: { capacity: 320, drive: '电动' },
    models: [
      ['鼎力', 'JCPT1412DC'],
      ['临工重机', 'AS1212'],
      ['中联', 'ZS1212HD'],
    ],
    dense: true,
    lot: 12,
  },
  {
    category: 301,
    value: 10,
    rent: 1150,
    specs: { capacity: 320, drive: '电动' },
    models: [
      ['鼎力', 'JCPT1012DC'],
      ['星邦', 'GTJZ1012'],
    ],
  },
  {
    category: 302,
    value: 20,
    rent: 6600,
    models: [
      ['中联', 'ZA20J'],
      ['徐工', 'GTBZ18'],
    ],
  },
  { category: 303, value: 28, rent: 9800, models: [['中联', 'ZT28J']] },
  { category: 305, value: 22, rent: 15_600, models: [['徐工', 'XGS5080']] },
  { category: 306, value: 4, rent: 15_500, models: [['徐工', 'XC6-4517K']] },
  { category: 307, value: 630, rent: 620, models: [['其他', 'ZLP630']], lot: 30 },
  {
    category: 401,
    value: 56,
    rent: 88_000,
    specs: { output: 170 },
    models: [
      ['三一', 'SYM5449THB-56'],
      ['中联', '56X-6RZ'],
    ],
  },
  { category: 402, value: 100, rent: 32_000, models: [['三一', 'SY5143THB-10018']] },
  {
    category: 403,
    value: 80,
    rent: 15_500,
    specs: { pressure: 18 },
    models: [
      ['三一', 'HBT8018C'],
      ['中联', 'HBT80'],
    ],
  },
  { category: 404, value: 28, rent: 12_500, models: [['其他', 'HGY28']] },
  {
    category: 405,
    value: 12,
    rent: 25_500,
    models: [
      ['三一', 'SY412C'],
      ['徐工', 'G12'],
    ],
  },
  {
    category: 406,
    value: 180,
    rent: 72_000,
    models: [
      ['中联', 'HZS180'],
      ['三一', 'HZS180'],
    ],
  },
  {
    category: 501,
    value: 285,
    rent: 118_000,
    specs: { dia: 2300, depth: 88 },
    models: [
      ['三一', 'SR285'],
      ['徐工', 'XR280E'],
      ['中联', 'ZR280'],
    ],
    dense: true,
  },
  { category: 502, value: 28, rent: 52_000, models: [['其他', 'CFG28']] },
  { category: 503, value: 6, rent: 16_500, models: [['其他', 'JK8']] },
  { category: 504, value: 2000, rent: 38_000, models: [['其他', 'GPS-20']] },
  { category: 505, value: 8600, rent: 82_000, models: [['山河智能', 'ZYJ860']] },
  { category: 507, value: 570, rent: 26_500, models: [['永安', 'DZ90']] },
  { category: 508, value: 3, rent: 152_000, models: [['上工', 'ZKD85-3']] },
  {
    category: 510,
    value: 70,
    rent: 188_000,
    models: [
      ['金泰', 'SG60'],
      ['徐工', 'XG480'],
    ],
  },
  { category: 512, value: 150, rent: 28_000, models: [['志高', 'ZGYX-452']] },
  { category: 513, value: 3500, rent: 82_000, models: [['宇通重工', 'YTQH350']] },
  {
    category: 601,
    value: 26,
    rent: 16_800,
    specs: { exciting: '405/290' },
    models: [
      ['徐工', 'XS263J'],
      ['柳工', '6626E'],
      ['三一', 'SSR260'],
    ],
    dense: true,
  },
  {
    category: 602,
    value: 13,
    rent: 25_500,
    models: [
      ['徐工', 'XD133'],
      ['宝马格', 'BW203'],
    ],
  },
  { category: 603, value: 30, rent: 19_500, models: [['徐工', 'XP303']] },
  {
    category: 606,
    value: 9.5,
    rent: 112_000,
    models: [
      ['福格勒', 'SUPER 1800-3'],
      ['徐工', 'RP953'],
    ],
  },
  {
    category: 608,
    value: 2000,
    rent: 92_000,
    models: [
      ['维特根', 'W 200'],
      ['徐工', 'XM200'],
    ],
  },
  { category: 610, value: 600, rent: 43_000, models: [['其他', 'WBZ600']] },
  { category: 701, value: 6.28, rent: 620_000, models: [['中铁装备', 'CTE6280']] },
  { category: 704, value: 3, rent: 205_000, models: [['铁建重工', 'ZYS113']] },
  { category: 705, value: 30, rent: 54_000, models: [['铁建重工', 'HPS3016']] },
  { category: 706, value: 12, rent: 32_000, models: [['其他', 'TC-12']] },
  { category: 709, value: 320, rent: 48_000, models: [['徐工', 'XZ320']] },
  { category: 801, value: 180, rent: 108_000, specs: { span: 40 }, models: [['其他', 'JQ180/40']] },
  { category: 803, value: 180, rent: 44_000, models: [['其他', 'YLC180']] },
  { category: 805, value: 200, rent: 22_000, models: [['其他', 'GL200']] },
  {
    category: 901,
    value: 31,
    rent: 30_000,
    specs: { volume: 20 },
    models: [
      ['重汽', '豪沃 8×4'],
      ['陕汽', '德龙 X3000'],
    ],
  },
  { category: 902, value: 60, rent: 36_000, models: [['同力', 'TL875']] },
  { category: 903, value: 60, rent: 58_000, models: [['其他', '60t 低平板']] },
  { category: 905, value: 12, rent: 13_000, models: [['其他', '12m³ 洒水车']] },
  {
    category: 907,
    value: 3,
    rent: 2800,
    models: [
      ['合力', 'CPCD30'],
      ['杭叉', 'CPCD30'],
    ],
  },
  { category: 908, value: 3, rent: 3100, models: [['合力', 'CPD30']] },
  {
    category: 1001,
    value: 300,
    rent: 10_500,
    models: [
      ['玉柴', 'YC300GF'],
      ['康明斯', 'C300D5'],
    ],
  },
  { category: 1002, value: 18, rent: 10_800, models: [['开山', 'LGCY-18/17']] },
  { category: 1003, value: 630, rent: 3500, models: [['其他', 'YBW-12/0.4']] },
  { category: 1005, value: 4, rent: 2400, models: [['其他', '4×1kW']], lot: 8 },
  { category: 1102, value: 2000, rent: 14_000, models: [['其他', 'HL2000']] },
  { category: 1105, value: 500, rent: 450, models: [['其他', 'NBC-500']], lot: 20 },
  { category: 1201, value: 100, rent: 800, models: [['其他', 'QW100']], lot: 15 },
  { category: 1204, value: 220, rent: 4600, models: [['其他', 'SDF 2×110kW']] },
  { category: 1205, value: 60, rent: 1900, models: [['其他', 'WP60']] },
  { category: 1207, value: 300, rent: 138_000, models: [['南方路机', 'NFLG-300']] },
]
