import { demoPassword, demoSignIns } from '#db/seed/cast.ts'
import * as contract from '#shared/account/contract.ts'
import { getDemoSignIns } from '#shared/account/demo.ts'
import { coolingDays, maskPhone, smsRules } from '#shared/account/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { Api } from '../http/api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { cancellationPoints, requestCancellation } from './cancellation.ts'
import { insertImageCode, redeemImageCode, sendSmsCode } from './codes.ts'
import { exportPersonalData } from './export.ts'
import { drawCode } from './image-code.ts'
import * as passwords from './passwords.ts'
import * as accounts from './queries.ts'
import * as sessions from './sessions.ts'
import { enter, signIn, signInBySms } from './sign-in.ts'

export function accountRoutes(api: Api): void {
  signInRoutes(api)
  securityRoutes(api)

  api.handle(contract.getUserInfo, (_, { db, actor, config, locale, now }) =>
    accounts.getUserInfo(db, actor, locale === 'en-US' ? config.site.nameEn : config.site.name, textOf(locale), now),
  )

  api.handle(contract.updateNickname, async ({ body }, { db, actor }) => {
    await accounts.updateNickname(db, actor.accountId, body.nickName)
    return null
  })

  api.handle(contract.exportOwnData, async (_, { db, actor, now }) => ({
    name: `my-data-${dayOf(now)}.zip`,
    mime: 'application/zip',
    content: await exportPersonalData(db, actor.accountId),
  }))

  api.handle(contract.checkCancellation, async (_, { db, actor, now }) => {
    const { phonenumber } = await db.selectFrom('account').where('id', '=', actor.accountId).select('phonenumber').executeTakeFirstOrThrow()
    return {
      phonenumber: maskPhone(phonenumber ?? ''),
      coolingDays,
      points: await cancellationPoints(db, actor.accountId, dayOf(now)),
    }
  })

  api.handle(contract.requestCancellation, ({ body }, { actor, now, ...services }) => requestCancellation(services, actor, body, now))
}

function signInRoutes(api: Api): void {
  api.handle(contract.getImageCode, async ({ query }, { db, now }) => {
    const { uuid, answer } = await insertImageCode(db, query.type, now)
    return { captchaEnabled: true, uuid, img: Buffer.from(drawCode(answer)).toString('base64'), mime: 'image/svg+xml' }
  })

  api.handle(contract.validImageCode, async ({ body }, { actor, hadToken, address, now, ...services }) => {
    const { type, uuid, code } = body
    const own = type === 'phone' || type === 'cancel'
    if (own && !actor) throw new Refusal(hadToken ? 'token_invalid' : 'token_missing')
    if (!(await redeemImageCode(services.db, type, uuid, code, now))) refuseField(['code'], 'image_code')
    // A cancellation is confirmed on the person's own phone, whatever number is written here.
    const phonenumber = type === 'cancel' && actor ? await ownPhone(services.db, actor.accountId) : body.phonenumber
    await sendSmsCode(services, { phonenumber, type, address }, now)
    return { resendAfter: smsRules.resendAfter, expiresIn: smsRules.minutes * 60 }
  })

  api.handle(contract.foregroundRegister, ({ body }, { address, agent, now, ...services }) =>
    passwords.register(services, body, { address, agent }, now),
  )

  api.handle(contract.webLogin, ({ body }, { address, agent, now, ...services }) => {
    const { username, phonenumber, password, code, uuid } = body
    return signIn(services, { login: username ?? phonenumber ?? '', password, code, uuid, address, agent }, now)
  })

  api.handle(contract.messageLogin, ({ body }, { address, agent, now, ...services }) =>
    signInBySms(services, { ...body, address, agent }, now),
  )

  api.handle(contract.forgetPassword, async ({ body }, { now, ...services }) => {
    await passwords.forgetPassword(services, body, now)
    return null
  })

  api.handle(contract.refreshProject, async ({ params }, { actor, token, address, agent, now, ...services }) => {
    const { db, hub } = services
    const account = await db
      .selectFrom('account')
      .innerJoin('accountDept', 'accountDept.accountId', 'account.id')
      .innerJoin('dept', 'dept.id', 'accountDept.deptId')
      .where('account.id', '=', actor.accountId)
      .where('dept.id', '=', params.id)
      .where('dept.status', '=', '0')
      .where('dept.delFlag', '=', '0')
      .select(['account.id', 'account.status', 'certSign', 'auditStatus', 'failedLogins', 'lockedUntil'])
      .executeTakeFirst()
    if (!account) throw new Refusal('not_found')
    const signedIn = await enter(services, account, 'switch', { address, agent }, now, params.id)
    if (token) await sessions.endSessionOfToken(db, hub, token)
    return signedIn
  })

  api.handle(getDemoSignIns, async (_, { db }) => {
    const demo = await db.selectFrom('setting').where('key', '=', 'demo').select('key').executeTakeFirst()
    return demo ? { password: demoPassword, accounts: [...demoSignIns] } : { password: '', accounts: [] }
  })

  api.handle(contract.logout, async (_, { db, token, hub }) => {
    if (token) await sessions.endSessionOfToken(db, hub, token)
    return null
  })
}

function securityRoutes(api: Api): void {
  api.handle(contract.resetPassword, async ({ body }, { actor, token, address, now, ...services }) => {
    await passwords.changePassword(services, actor, body, { token, address }, now)
    return null
  })

  api.handle(contract.resetPhoneNumber, async ({ body }, { actor, address, now, ...services }) => {
    await passwords.changePhone(services, actor, body, address, now)
    return null
  })

  api.handle(contract.listSignIns, ({ query }, { db, actor }) => sessions.findSignIns(db, actor.accountId, query))

  api.handle(contract.listSessions, (_, { db, actor, token, now }) => sessions.findSessions(db, actor.accountId, token ?? '', now))

  api.handle(contract.endSession, async ({ params }, { db, hub, actor }) => {
    if (!(await sessions.endOneSession(db, hub, actor.accountId, params.id))) throw new Refusal('not_found')
    return null
  })

  api.handle(contract.endOtherSessions, (_, { db, hub, actor, token }) => sessions.endSessionsOf(db, hub, actor.accountId, token))
}

async function ownPhone(db: Parameters<typeof insertImageCode>[0], accountId: number): Promise<string> {
  const { phonenumber } = await db.selectFrom('account').where('id', '=', accountId).select('phonenumber').executeTakeFirstOrThrow()
  return phonenumber ?? ''
}
