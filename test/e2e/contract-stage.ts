import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, expect } from 'vitest'
import type { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { openWorld, type Person } from '#test/world.ts'
import { field, launchBrowser, press, visitWithToken, type Look } from './product.ts'

/** The pages of a server of this process, so that its clock can be moved by hand, and a browser; both end with the file that opens them. */
export async function openStage() {
  const world = await openWorld({ pages: true })
  await world.server.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(world.server.server.address() as AddressInfo).port}`
  const browser = await launchBrowser()
  const { cast, db, letters } = world
  const steps = contractSteps(world)
  afterAll(async () => {
    await browser.close()
    await world.close()
  })
  beforeEach(async () => {
    // Each run begins on the same Monday, so the codes of the one before are of the future.
    await db.deleteFrom('smsCode').execute()
    await db.deleteFrom('callLimit').execute()
    await db.updateTable('company').set({ scaleType: 'small' }).where('id', '=', cast.lessor.companyId).execute()
  })

  const visitAs = (person: Person, path: string, look: Look) =>
    visitWithToken(browser, origin, { token: person.token ?? '', path, ...look })

  /** Requests a code in the open dialog and types it as the phone got it. */
  async function typeCode(page: Page, { personal: { register } }: typeof zhCn) {
    // A minute passes between two codes of one number.
    steps.pass(61)
    const dialog = page.getByRole('dialog')
    // Notices go out meanwhile as well.
    const codes = () => letters.filter(({ template }) => template === 'signCode')
    const before = codes().length
    await press(dialog, register.send)
    await expect.poll(() => codes().length).toBeGreaterThan(before)
    await field(dialog, register.smsCode).fill(codes().at(-1)?.params[0]?.[1] ?? '')
  }

  return { world, steps, visitAs, typeCode }
}
