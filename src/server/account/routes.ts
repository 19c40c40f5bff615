import { getImageCode, getUserInfo, logout, updateNickname, webLogin } from '#shared/account/contract.ts'
import { demoPassword, demoSignIns } from '#db/seed/cast.ts'
import { getDemoSignIns } from '#shared/account/demo.ts'
import type { Api } from '../http/api.ts'
import { textOf } from '../http/locale.ts'
import { drawCode } from './image-code.ts'
import * as accounts from './queries.ts'

export function accountRoutes(api: Api): void {
  api.handle(getImageCode, async ({ query }, { db, now }) => {
    const { uuid, answer } = await accounts.insertImageCode(db, query.type, now)
    return { captchaEnabled: true, uuid, img: Buffer.from(drawCode(answer)).toString('base64'), mime: 'image/svg+xml' }
  })

  api.handle(webLogin, async ({ body }, { db, now, address, agent }) => {
    const { username, phonenumber, password, code, uuid } = body
    const signedIn = await accounts.signIn(db, { login: username ?? phonenumber ?? '', password, code, uuid, address, agent }, now)
    return {
      access_token: signedIn.accessToken,
      expires_in: signedIn.minutes,
      certSign: signedIn.certSign,
      auditStatus: Number(signedIn.auditStatus),
    }
  })

  api.handle(getDemoSignIns, async (_, { db }) => {
    const demo = await db.selectFrom('setting').where('key', '=', 'demo').select('key').executeTakeFirst()
    return demo ? { password: demoPassword, accounts: [...demoSignIns] } : { password: '', accounts: [] }
  })

  api.handle(logout, async (_, { db, token, hub }) => {
    if (token) {
      await accounts.deleteSession(db, token)
      await hub.endSession(db, token)
    }
    return null
  })

  api.handle(getUserInfo, (_, { db, actor, config, locale }) =>
    accounts.getUserInfo(db, actor, locale === 'en-US' ? config.site.nameEn : config.site.name, textOf(locale)),
  )

  api.handle(updateNickname, async ({ body }, { db, actor }) => {
    await accounts.updateNickname(db, actor.accountId, body.nickName)
    return null
  })
}
