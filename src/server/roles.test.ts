import { afterAll, describe, expect, test } from 'vitest'
import { operatorDuties } from '#shared/account/rules.ts'
import { permissionsFor, permissionsOf } from '#shared/account/permissions.ts'
import { idsOfNothing as params, nameOf as name, roleKey } from '#test/endpoints.ts'
import { monday, openWorld } from '#test/world.ts'
import { insertSession } from './account/sessions.ts'

const world = await openWorld()
const { cast, api, db } = world
afterAll(() => world.close())

const endpoints = api.routes.map(({ endpoint }) => endpoint)
const roles = ['visitor', 'newcomer', 'lessee', 'project', 'lessor', 'driver', 'operator', 'auditor'] as const
/** Calls that an operator makes by a duty. */
const dutyCalls = endpoints.filter(
  ({ access }) =>
    (permissionsOf.operator as readonly string[]).includes(access) && !permissionsFor('operator', [], false).some((one) => one === access),
)
/** One call for each permission of an operator: the pipeline refuses all calls with the same one in the same place. */
const ofEachPermission = new Set(new Map(dutyCalls.map((endpoint) => [endpoint.access, endpoint])).values())

describe('[S6.2] every call of the console × every duty', () => {
  test('there are some', () => expect(dutyCalls.length).toBeGreaterThan(45))
  test.each([...operatorDuties, 'none'] as const)('an operator with the duty %s may do that and nothing else', async (duty) => {
    await db
      .updateTable('account')
      .set({ duties: duty === 'none' ? [] : [duty] })
      .where('id', '=', cast.clerk.id)
      .execute()
    const granted: readonly string[] = permissionsFor('operator', duty === 'none' ? [] : [duty], false)
    for (const endpoint of dutyCalls) {
      const isGranted = granted.includes(endpoint.access)
      if (!isGranted && !ofEachPermission.has(endpoint)) continue
      const { code } = await cast.clerk.call(endpoint, { params, body: endpoint.method === 'GET' ? undefined : {} })
      if (isGranted) expect(code, name(endpoint)).not.toBe(403)
      else expect(code, name(endpoint)).toBe(403)
    }
    await db.updateTable('account').set({ duties: [] }).where('id', '=', cast.clerk.id).execute()
  })
})

describe('[S6.2][S6.3] every call × every role', () => {
  test.each(endpoints.map((endpoint) => [name(endpoint), endpoint] as const))('%s', async (_, endpoint) => {
    const { access } = endpoint
    for (const role of roles) {
      // Signing out would end the session that the rest of the table needs.
      const { token } =
        endpoint.url === '/auth/logout' && role !== 'visitor'
          ? { token: await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: cast[role].id }) }
          : cast[role]
      const { code, http } = await world.caller(token)(endpoint, {
        params,
        body: endpoint.method === 'GET' || endpoint.method === 'DELETE' ? undefined : {},
      })
      const permissions: readonly string[] = role in roleKey ? permissionsOf[roleKey[role as keyof typeof roleKey]] : []
      expect.soft(http, role).toBeLessThan(500)
      if (access === 'public') expect.soft(code, role).not.toBe(401)
      else if (role === 'visitor') expect.soft(code, role).toBe(401)
      else if (access !== 'account' && !permissions.includes(access)) expect.soft(code, role).toBe(403)
      else if (endpoint.notStaff && (role === 'operator' || role === 'auditor')) expect.soft(code, role).toBe(403)
      else if (endpoint.notDriver && role === 'driver') expect.soft(code, role).toBe(403)
      else expect.soft([401, 403], role).not.toContain(code)
    }
  })
})

test('every call states who may make it, and no URL stands twice', () => {
  for (const endpoint of endpoints) expect(endpoint.access).toBeTruthy()
  expect(new Set(endpoints.map(name)).size).toBe(endpoints.length)
})
