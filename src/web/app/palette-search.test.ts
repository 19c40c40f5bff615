import { afterEach, expect, test, vi } from 'vitest'
import type { UserInfo } from '#shared/account/contract.ts'
import { permissionsOf } from '#shared/account/permissions.ts'
import { isDemandCode } from '#shared/demand/rules.ts'
import { listOwnEquipment } from '#shared/equipment/contract.ts'
import { paths } from '#shared/paths.ts'
import { listDemandsForLessor } from '#shared/quote/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { pagesOf, searchAll } from './palette-search.ts'
import { getSession } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

test('words are looked for as the number of a demand only where they begin as one; a project may begin with other letters', () => {
  expect(['XQ2026', 'xq20260101'].filter((words) => !isDemandCode(words))).toEqual([])
  expect(['TJ-12标', 'TJ12标', 'CZSCZQ-3', 'XQ标', '南湖'].filter(isDemandCode)).toEqual([])
})

const machine = { id: 5, name: '三一 STC250 汽车吊', brand: '三一', brandEn: 'SANY', model: 'STC250', categoryNameEn: 'Truck crane' }

/** What a lessor finds, with a demand in each scope. */
async function foundBy(text: typeof zhCn): Promise<{ label: string; link: string }[]> {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (path: string) => {
    const scope = new URL(path, 'http://product').searchParams.get('scope') ?? ''
    const [isDemand, isMachine] = [listDemandsForLessor, listOwnEquipment].map(({ url }) => path.split('?')[0]?.endsWith(url))
    const id = ['quoted', 'won', 'lost'].indexOf(scope) + 1
    const demand = { id, title: scope, demandCode: `XQ${id}`, projectName: '' }
    const rows = isDemand ? [demand] : isMachine ? [{ ...machine, equipmentCode: 'SB1' }] : []
    return Promise.resolve(Response.json({ code: 200, total: rows.length, rows, data: [] }))
  })
  const info = { permissions: ['quote:edit', 'equipment:edit'], roles: ['leaser'] } as UserInfo
  const { items, failed } = await searchAll(text, { ...getSession(), info }, 'XQ2026')
  expect(failed).toBe(0)
  return items.map(({ label, link }) => ({ label, link }))
}

test('a lessor finds the demands that they quoted, won and lost, and their machines by the name of the language', async () => {
  const demands = ['quoted', 'won', 'lost'].map((label, at) => ({ label, link: paths.marketDemand(at + 1) }))
  const link = paths.editMachine(machine.id)
  expect(await foundBy(zhCn)).toEqual([...demands, { label: machine.name, link }])
  expect(await foundBy(en)).toEqual([...demands, { label: 'SANY STC250 Truck crane', link }])
})

test('the pages of an auditor stand under the name of their own area, and those of an operator under the console', () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  const areasOf = (role: 'auditor' | 'operator') => {
    const info = { permissions: [...permissionsOf[role]], roles: [role] } as UserInfo
    return new Set(pagesOf(zhCn, { ...getSession(), info }).map(({ note }) => note))
  }
  const { auditorTitle, title } = zhCn.admin
  const found = (['auditor', 'operator'] as const).map((role) => [auditorTitle, title].map((area) => areasOf(role).has(area)))
  expect(found).toEqual([
    [true, false],
    [false, true],
  ])
})
