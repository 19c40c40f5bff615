import { sendContact } from '#shared/contact/contract.ts'
import { redeemImageCode } from '../account/codes.ts'
import type { Api } from '../http/api.ts'
import { refuseField } from '../http/refusal.ts'

export function contactRoutes(api: Api): void {
  api.handle(sendContact, async ({ body }, { db, now }) => {
    const { code, uuid, ...request } = body
    if (!(await redeemImageCode(db, 'contact', uuid, code, now))) refuseField(['code'], 'format')
    await db
      .insertInto('contact')
      .values({ ...request, createTime: now })
      .execute()
    return null
  })
}
