import * as contract from '#shared/account/contract.ts'
import { getFirstSteps } from '#shared/account/first-steps.ts'
import { getDemoSignIns } from '#shared/account/demo.ts'
import * as factor from '#shared/account/second-factor.ts'
import { coolingDays, maskPhone, smsRules } from '#shared/account/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { cancellationPoints, findWaitingCancellation, requestCancellation } from './cancellation.ts'
import { insertImageCode, redeemImageCode, sendSmsCode } from './codes.ts'
import { exportPersonalData } from './export.ts'
import { listDemoSignIns } from './exposed-demo.ts'
import { findFirstSteps } from './first-steps.ts'
import { drawCode } from './image-code.ts'
import * as passwords from './passwords.ts'
import { changePhone } from './phone.ts'
import * as accounts from './queries.ts'
import * as secondFactor from './second-factor.ts'
import * as sessions from './sessions.ts'
import { signIn, signInBySms, switchProject } from './sign-in.ts'

export function accountRoutes(api: Api): void {
  signInRoutes(api)
  securityRoutes(api)

  api.handle(contract.getUserInfo, (context) => {
    const { actor, config, locale } = context
    const siteName = locale === 'en-US' ? config.site.nameEn : config.site.name
    return accounts.getUserInfo(context.db, actor, { siteName, text: textOf(locale) })
  })
  api.handle(getFirstSteps, ({ db, actor }) => findFirstSteps(db, actor))
  api.handle(contract.updateNickname, (deed, { body }) => accounts.updateNickname(deed, body))
  api.handle(contract.exportOwnData, async ({ db, secret, actor, now }) => ({
    name: `my-data-${dayOf(now)}.zip`,
    mime: 'application/zip',
    content: await exportPersonalData({ db, secret }, actor.accountId),
  }))
  api.handle(contract.checkCancellation, async ({ db, actor, now }) => ({
    phonenumber: maskPhone(await accounts.getOwnPhone(db, actor.accountId)),
    coolingDays,
    waitingSince: (await findWaitingCancellation(db, actor.accountId))?.requestedAt ?? null,
    points: await cancellationPoints(db, actor.accountId, dayOf(now)),
  }))
  api.handle(contract.requestCancellation, (context, { body }) => requestCancellation(context, body))
}

function signInRoutes(api: Api): void {
  api.handle(contract.getImageCode, async (context, { query }) => {
    const { uuid, answer } = await insertImageCode(context, query.type)
    return { captchaEnabled: true, uuid, img: (await drawCode(answer)).toString('base64'), mime: 'image/png' }
  })
  api.handle(contract.validImageCode, async (context, { body }) => {
    const { db, actor, hadToken } = context
    const { type } = body
    const isOwn = type === 'phone' || type === 'cancel'
    if (isOwn && !actor) throw new Refusal(hadToken ? 'token_invalid' : 'token_missing')
    if (!(await redeemImageCode(context, body))) refuseField(['code'], 'image_code')
    // A cancellation is confirmed on the person's own phone, whatever number the body names.
    const phonenumber = type === 'cancel' && actor ? await accounts.getOwnPhone(db, actor.accountId) : body.phonenumber
    await sendSmsCode(context, { phonenumber, type })
    return { resendAfter: smsRules.resendAfter, expiresIn: smsRules.minutes * 60 }
  })
  api.handle(contract.foregroundRegister, (context, { body }) => passwords.register(context, body))
  api.handle(contract.webLogin, (context, { body }) => signIn(context, body))
  api.handle(contract.messageLogin, (context, { body }) => signInBySms(context, body))
  api.handle(factor.signInByFactor, (context, { body }) => secondFactor.signInByFactor(context, body))
  api.handle(contract.forgetPassword, (context, { body }) => passwords.forgetPassword(context, body))
  api.handle(contract.refreshProject, async (deed, { params }) => {
    const account = await accounts.getSwitch(deed, params.id)
    return switchProject(deed, { account, deptId: params.id })
  })
  api.handle(getDemoSignIns, ({ db }) => listDemoSignIns(db))
  api.handle(contract.logout, async (deed) => {
    if (deed.token) await sessions.endSessionOfToken(deed, deed.token)
  })
}

function securityRoutes(api: Api): void {
  api.handle(factor.getSecondFactor, (context) => secondFactor.getSecondFactor(context))
  api.handle(factor.startSecondFactor, (context, { body }) => secondFactor.startSecondFactor(context, body))
  api.handle(factor.confirmSecondFactor, (context, { body }) => secondFactor.confirmSecondFactor(context, body))
  api.handle(factor.endSecondFactor, (context, { body }) => secondFactor.endSecondFactor(context, body))
  api.handle(contract.resetPassword, (context, { body }) => passwords.changePassword(context, body))
  api.handle(contract.resetPhoneNumber, (context, { body }) => changePhone(context, body))
  api.handle(contract.listSignIns, ({ db, actor }, { query }) => sessions.listSignIns(db, actor.accountId, query))
  api.handle(contract.listSessions, (context) => sessions.listSessions(context, context.actor.accountId, context.token ?? ''))
  api.handle(contract.endSession, (deed, { params }) => sessions.endOneSession(deed, params.id))
  api.handle(contract.endOtherSessions, (deed) => sessions.endSessionsOf(deed, deed.actor.accountId, deed.token))
}
