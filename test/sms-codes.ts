import * as contract from '#shared/account/contract.ts'
import { smsRules, type AskedSmsType } from '#shared/account/rules.ts'
import { insertImageCode } from '#server/account/codes.ts'
import type { World } from './world.ts'

/** The number that registers where a test names no other. */
export const registering = '14411110001'

/** Requests SMS codes as people do and reads them from the phone. */
export function smsCodes({ services, clock, caller, letters }: World) {
  const after = (seconds: number) => clock.set(new Date(clock.now().getTime() + seconds * 1000))

  /** Each call comes from its own address, unless the test is about addresses. */
  let people = 0
  const somebody = () => caller(null, 'zh-CN', `10.0.${Math.floor(++people / 250)}.${people % 250}`)

  async function askFor(type: AskedSmsType, phonenumber: string, call = somebody()) {
    const { uuid, answer } = await insertImageCode({ ...services, now: clock.now() }, type)
    return call(contract.validImageCode, { body: { phonenumber, code: answer, uuid, type } })
  }

  /** The code as the phone got it. */
  async function codeFor(type: AskedSmsType, phonenumber: string, call = somebody()): Promise<string> {
    const { code, msg } = await askFor(type, phonenumber, call)
    if (code !== 200) throw new Error(msg)
    const code6 = letters.findLast((letter) => letter.phonenumber === phonenumber && letter.template === 'code')?.params[0]?.[1] ?? ''
    // The next SMS may be requested only a minute later.
    after(smsRules.resendAfter + 1)
    return code6
  }

  const register = (smsCode: string, more: object = {}) =>
    somebody()(contract.foregroundRegister, {
      body: { phonenumber: registering, smsCode, password: 'Juzi#2026', agreeTerms: true, agreePrivacy: true, ...more },
    })

  return { after, somebody, askFor, codeFor, register }
}
