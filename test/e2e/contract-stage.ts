import type { Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import type { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { openOwnServer } from './own-server.ts'
import { field, press } from './product.ts'

/** A server of this process and the steps of a contract on it. */
export async function openStage() {
  const { world, visitAs } = await openOwnServer()
  const { cast, db, letters } = world
  const steps = contractSteps(world)
  beforeEach(async () => {
    // Each run begins on the same Monday, so the codes of the one before are of the future.
    await db.deleteFrom('smsCode').execute()
    await db.deleteFrom('callLimit').execute()
    await db.updateTable('company').set({ scaleType: 'small' }).where('id', '=', cast.lessor.companyId).execute()
  })

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
