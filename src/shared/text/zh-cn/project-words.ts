import type { projectTypes } from '../../demand/rules.ts'

/** Words in the name of a project that tell its type of works. The first that fits decides: 地铁机场线 is a metro, 机场高速 is a highway. */
export const projectWords: readonly [type: (typeof projectTypes)[number], words: RegExp][] = [
  ['metro', /地铁|轨道交通|轻轨|号线|\bmetro\b/i],
  ['railway', /铁路|高铁|城际|客专|动车|\brailway\b/i],
  ['highway', /高速|公路|国道|省道|\b(highway|expressway)\b/i],
  ['airport', /机场|航站楼|\bairport\b/i],
  ['port', /港口|码头|航道|船闸|港区|\bport\b/i],
  ['water', /水利|水库|水电|大坝|灌区|引水|调水|堤防|泵站|\b(dam|reservoir)\b/i],
  ['municipal', /市政|管廊|快速路|污水|给水|排水|管网|\bmunicipal\b/i],
  ['building', /房建|住宅|小区|花园|大厦|医院|学校|厂房|安置房|\b(building|hospital|school)\b/i],
]
