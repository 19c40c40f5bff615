import { demoPassword, demoSignIns } from '#db/seed/cast.ts'
import * as contract from '#shared/account/contract.ts'
import { getDemoSignIns } from '#shared/account/demo.ts'
import { coolingDays, maskPhone, smsRules } from '#shared/account/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { Api } from '../api.ts'
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

  api.handle(contract.getUserInfo, ({ db, actor, config, locale, now }) =>
    accounts.getUserInfo(db, actor, locale === 'en-US' ? config.site.nameEn : config.site.name, textOf(locale), now),
  )

  api.handle(contract.updateNickname, async ({ db, actor }, { body }) => {
    await accounts.updateNickname(db, actor.accountId, body.nickName)
    return null
  })

  api.handle(contract.exportOwnData, async ({ db, actor, now }) => ({
    name: `my-data-${dayOf(now)}.zip`,
    mime: 'application/zip',
    content: await exportPersonalData(db, actor.accountId),
  }))

  api.handle(contract.checkCancellation, async ({ db, actor, now }) => {
    const { phonenumber } = await db.selectFrom('account').where('id', '=', actor.accountId).select('phonenumber').executeTakeFirstOrThrow()
    return {
      phonenumber: maskPhone(phonenumber ?? ''),
      coolingDays,
      points: await cancellationPoints(db, actor.accountId, dayOf(now)),
    }
  })

  api.handle(contract.requestCancellation, ({ actor, now, ...services }, { body }) => requestCancellation(services, actor, body, now))
}

function signInRoutes(api: Api): void {
  api.handle(contract.getImageCode, async ({ db, now }, { query }) => {
    const { uuid, answer } = await insertImageCode(db, query.type, now)
    return { captchaEnabled: true, uuid, img: Buffer.from(drawCode(answer)).toString('base64'), mime: 'image/svg+xml' }
  })

  api.handle(contract.validImageCode, async ({ actor, hadToken, address, now, ...services }, { body }) => {
    const { type, uuid, code } = body
    const own = type === 'phone' || type === 'cancel'
    if (own && !actor) throw new Refusal(hadToken ? 'token_invalid' : 'token_missing')
    if (!(await redeemImageCode(services.db, type, uuid, code, now))) refuseField(['code'], 'image_code')
    // A cancellation is confirmed on the person's own phone, whatever number is written here.
    const phonenumber = type === 'cancel' && actor ? await ownPhone(services.db, actor.accountId) : body.phonenumber
    await sendSmsCode(services, { phonenumber, type, address }, now)
    return { resendAfter: smsRules.resendAfter, expiresIn: smsRules.minutes * 60 }
  })

  api.handle(contract.foregroundRegister, ({ address, agent, now, ...services }, { body }) =>
    passwords.register(services, body, { address, agent }, now),
  )

  api.handle(contract.webLogin, ({ address, agent, now, ...services }, { body }) => {
    const { username, phonenumber, password, code, uuid } = body
    return signIn(services, { login: username ?? phonenumber ?? '', password, code, uuid, address, agent }, now)
  })

  api.handle(contract.messageLogin, ({ address, agent, now, ...services }, { body }) =>
    signInBySms(services, { ...body, address, agent }, now),
  )

  api.handle(contract.forgetPassword, async ({ now, ...services }, { body }) => {
    await passwords.forgetPassword(services, body, now)
    return null
  })

  api.handle(contract.refreshProject, async ({ actor, token, address, agent, now, ...services }, { params }) => {
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

  api.handle(getDemoSignIns, async ({ db }) => {
    const demo = await db.selectFrom('setting').where('key', '=', 'demo').select('key').executeTakeFirst()
    return demo ? { password: demoPassword, accounts: [...demoSignIns] } : { password: '', accounts: [] }
  })

  api.handle(contract.logout, async ({ db, token, hub }) => {
    if (token) await sessions.endSessionOfToken(db, hub, token)
    return null
  })
}

function securityRoutes(api: Api): void {
  api.handle(contract.resetPassword, async ({ actor, token, address, now, ...services }, { body }) => {
    await passwords.changePassword(services, actor, body, { token, address }, now)
    return null
  })

  api.handle(contract.resetPhoneNumber, async ({ actor, address, now, ...services }, { body }) => {
    await passwords.changePhone(services, actor, body, address, now)
    return null
  })

  api.handle(contract.listSignIns, ({ db, actor }, { query }) => sessions.findSignIns(db, actor.accountId, query))

  api.handle(contract.listSessions, ({ db, actor, token, now }) => sessions.findSessions(db, actor.accountId, token ?? '', now))

  api.handle(contract.endSession, async ({ db, hub, actor }, { params }) => {
    if (!(await sessions.endOneSession(db, hub, actor.accountId, params.id))) throw new Refusal('not_found')
    return null
  })

  api.handle(contract.endOtherSessions, ({ db, hub, actor, token }) => sessions.endSessionsOf(db, hub, actor.accountId, token))
}

async function ownPhone(db: Parameters<typeof insertImageCode>[0], accountId: number): Promise<string> {
  const { phonenumber } = await db.selectFrom('account').where('id', '=', accountId).select('phonenumber').executeTakeFirstOrThrow()
  return phonenumber ?? ''
}
