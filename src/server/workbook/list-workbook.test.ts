import { unzipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { listAudit } from '#shared/audit/contract.ts'
import { exportBlacklist } from '#shared/blacklist/contract.ts'
import { exportCeilings, saveCeiling } from '#shared/ceiling/contract.ts'
import { exportCompanies } from '#shared/company/manage.ts'
import { exportOwnDemands } from '#shared/demand/contract.ts'
import { exportOwnEquipment } from '#shared/equipment/contract.ts'
import { exportPeople } from '#shared/person/contract.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast } = world
afterAll(() => world.close())

/** All texts of a workbook, as they are stored. */
function textOf(bytes: Buffer): string {
  const files = unzipSync(new Uint8Array(bytes))
  return Object.entries(files)
    .filter(([name]) => /sharedStrings|worksheets\/sheet/.test(name))
    .map(([, content]) => new TextDecoder().decode(content))
    .join('\n')
}

test('the own demands are exported as they are filtered, and nobody else’s', async () => {
  await world.givenDemand({ title: '=HYPERLINK("x") 两台装载机' })
  await world.givenDemand({ title: '南湖的需求', deptId: world.depts.otherDept }, cast.otherProject)
  const { http, bytes } = await cast.project.call(exportOwnDemands, { query: { sort: '-publishTime' } })
  expect(http).toBe(200)
  const sheet = textOf(bytes)
  expect(sheet).toContain('两台装载机')
  expect(sheet).toContain('定标总价')
  // A title that starts like a formula is a text.
  expect(sheet).not.toContain('<f>')
  expect(sheet).not.toContain('南湖的需求')
  const english = await world.caller(cast.project.token, 'en-US')(exportOwnDemands, { query: { status: '9' } })
  expect(textOf(english.bytes)).toContain('Award total')
  expect(textOf(english.bytes)).not.toContain('两台装载机')
  expect((await cast.lessor.call(exportOwnDemands, { query: {} })).code).toBe(403)
})

test('machines, people, ceilings and restrictions are exported to those who see their lists', async () => {
  await world.givenMachine(cast.lessor.companyId)
  await world.givenMachine(cast.lessor2.companyId)
  const machines = textOf((await cast.lessor.call(exportOwnEquipment, { query: {} })).bytes)
  expect(machines).toContain('柳工 856H 装载机 1')
  expect(machines).toContain('16000')
  expect(machines).not.toContain('柳工 856H 装载机 2')
  const people = textOf((await cast.lessee.call(exportPeople, { query: {} })).bytes)
  expect(people).toContain('project甲')
  expect(people).not.toContain('stranger甲')
  await cast.lessee.call(saveCeiling, {
    body: { deptId: world.depts.root, categoryId: 106, rentUnit: 'M', price: 18_000, fromDay: '2026-01-01' },
  })
  expect(textOf((await cast.lessee.call(exportCeilings, { query: {} })).bytes)).toContain('18000')
  expect((await cast.lessor.call(exportBlacklist, { query: {} })).http).toBe(200)
  for (const [endpoint, who] of [
    [exportOwnEquipment, cast.project],
    [exportCeilings, cast.lessor],
    [exportCompanies, cast.lessee],
  ] as const)
    expect((await who.call(endpoint, { query: {} })).code, endpoint.url).toBe(403)
})

test('an export of the platform’s companies stands in the audit log with its filter', async () => {
  const { bytes } = await cast.operator.call(exportCompanies, { query: { kind: 'lessor' } })
  expect(textOf(bytes)).toContain('成都恒岳机械租赁有限公司')
  expect(textOf(bytes)).not.toContain('华拓建设集团有限公司')
  const log = await cast.operator.call(listAudit, { query: { action: 'company.export' } })
  expect(log.data.rows).toHaveLength(1)
})
