import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { getUserInfo, resetPassword } from '#shared/account/contract.ts'
import { permissionsOf } from '#shared/account/permissions.ts'
import { getPublicDemand } from '#shared/demand/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { arbitraryOf } from '#test/arbitrary.ts'
import { idsOfNothing as params, nameOf, roleKey } from '#test/endpoints.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { api, cast, db } = world
afterAll(() => world.close())

const endpoints = api.routes.map(({ endpoint }) => endpoint)

describe('whoever has a first password that somebody else gave them', () => {
  const everybody = [cast.lessee, cast.project, cast.lessor, cast.operator, cast.auditor, cast.newcomer]
  const withFirstPasswords = async (run: () => Promise<void>) => {
    await db.updateTable('account').set({ mustChangePassword: true }).execute()
    await run()
    await db.updateTable('account').set({ mustChangePassword: false }).execute()
  }
  const closed = endpoints.filter(({ access, setup }) => access !== 'public' && setup !== 'password')

  test('there are calls that stay closed and two that do not', () => {
    expect(closed.length).toBeGreaterThan(150)
    const open = endpoints.filter(({ setup }) => setup === 'password').map(nameOf)
    expect(open.toSorted()).toEqual([getUserInfo, resetPassword].map(nameOf).toSorted())
  })

  test('is refused by every other call, whatever they send', () =>
    withFirstPasswords(async () => {
      // The pipeline asks for the password before it looks at the role, so each call is made once and each role makes many.
      for (const [n, endpoint] of closed.entries()) {
        const person = everybody[n % everybody.length] ?? cast.lessee
        const { code, raw } = await person.call(endpoint, { params, body: endpoint.method === 'GET' ? undefined : {} })
        expect([code, raw.data], nameOf(endpoint)).toEqual([403, { setup: 'password' }])
      }
    }))

  test('is a visitor to what is public', () =>
    withFirstPasswords(async () => {
      for (const endpoint of endpoints.filter(({ access, method, shared }) => access === 'public' && method === 'GET' && !shared)) {
        const [own, visitor] = [await cast.lessor.call(endpoint, { params }), await cast.visitor.call(endpoint, { params })]
        if (endpoint.url !== '/code') expect([own.code, own.raw.data], nameOf(endpoint)).toEqual([visitor.code, visitor.raw.data])
      }
    }))

  test('reads of a demand what a visitor reads, until they have a password of their own', async () => {
    const { id } = await world.givenDemand()
    const read = async (who: 'lessor' | 'visitor') => (await cast[who].call(getPublicDemand, { params: { id } })).data
    const asVisitor = await read('visitor')
    await withFirstPasswords(async () => expect(await read('lessor')).toEqual(asVisitor))
    expect(await read('lessor')).not.toEqual(asVisitor)
  })

  test('gets no websocket', () =>
    withFirstPasswords(async () => {
      await world.server.listen({ port: 0, host: '127.0.0.1' })
      const { port } = world.server.server.address() as AddressInfo
      const socket = new WebSocket(`ws://127.0.0.1:${port}/schedule/websocket`, [cast.lessor.token ?? ''])
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
      expect(response.statusCode).toBe(401)
    }))
})

/** What no one of a role may do is refused with an empty body as well (roles.test.ts), which most calls do not take. */
function isRefusedToRole({ access }: Endpoint, who: string): boolean {
  if (access === 'account' || !(who in roleKey)) return false
  const permissions: readonly string[] = permissionsOf[roleKey[who as keyof typeof roleKey]]
  return !permissions.includes(access)
}

describe('authorisation comes before validation', () => {
  test('whoever is refused for what they are is refused with a broken input too', async () => {
    // Somebody of an organisation who does not administer it.
    await db.updateTable('account').set({ isAdmin: false }).where('id', '=', cast.strangerAdmin.id).execute()
    // A visitor is nobody yet. The ids belong to nobody, so the others have the rights of somebody who is asked.
    const others = ['visitor', 'otherProject', 'stranger', 'lessor2', 'otherAuditor']
    const people = Object.entries(cast).filter(([name]) => !others.includes(name))
    const late: string[] = []
    let refused = 0
    for (const endpoint of endpoints.filter(({ access }) => access !== 'public')) {
      const samples = endpoint.body
        ? fc.sample(arbitraryOf(endpoint.body, [1, 2, 106, '14400000001']), { numRuns: 3, seed: 7 })
        : [undefined]
      for (const [who, { call }] of people) {
        if (isRefusedToRole(endpoint, who)) continue
        const isForbidden = async () => {
          for (const body of samples) {
            const { code, msg } = await call(endpoint, { params, body })
            if (msg === zhCn.refusal.forbidden) return true
            // Another body is tried only where this one was not even read to its end.
            if (code !== 422) return false
          }
          return false
        }
        if (!(await isForbidden())) continue
        refused++
        const broken = await call(endpoint, { params, query: { pageNum: 'x' }, ...(endpoint.body && { body: { body: null } }) })
        if (broken.code !== 403) late.push(`${nameOf(endpoint)} as ${who}: ${broken.code}`)
      }
    }
    expect(late).toEqual([])
    expect(refused).toBeGreaterThan(200)
  })

  test('an auditor and an operator are refused what only the restricted company does, and a certification', async () => {
    for (const url of [
      '/business/blacklist/:id/answer',
      '/business/blacklist/:id/appeal',
      '/business/approve/rentout',
      '/business/approve/draft',
    ])
      for (const person of [cast.auditor, cast.operator]) {
        const endpoint = endpoints.find((one) => one.url === url)
        expect((await person.call(endpoint as NonNullable<typeof endpoint>, { params, body: {} })).code, url).toBe(403)
      }
  })
})
