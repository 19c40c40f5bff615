import { dictionary } from '@zxcvbn-ts/language-common'
import type { Read } from '../db/connect.ts'
import { refuseField } from '../http/refusal.ts'

/** About fifty thousand passwords from known leaks, in small letters. */
const commonPasswords = new Set(dictionary['passwords-common'])
const lookalikes: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' }
/** Shorter words are parts of too many good passwords. */
const minWord = 6
const minName = 4

/** Whether a guesser would try the password early: it is a common one, or one in capitals, with signs for letters, or with digits around it. */
function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  const spelled = (text: string) => text.replaceAll(/[@4310$57!]/g, (sign) => lookalikes[sign] ?? sign)
  const word = lower.replaceAll(/^[^a-z]+|[^a-z]+$/g, '')
  const spelledWord = spelled(lower.replaceAll(/[\d\W_]+$/g, ''))
  return (
    [lower, spelled(lower)].some((text) => commonPasswords.has(text)) ||
    [word, spelledWord].some((text) => text.length >= minWord && commonPasswords.has(text))
  )
}

/** Refuses a new password that is common, or contains a name that stands beside it: the platform's, the person's or their number. */
export async function refuseWeakPassword(
  { db, siteNames }: { db: Read; siteNames: readonly string[] },
  { password, accountId, phonenumber = '' }: { password: string; accountId?: number; phonenumber?: string },
): Promise<void> {
  if (isCommon(password)) refuseField(['password'], 'password_common')
  const person =
    accountId === undefined
      ? undefined
      : await db.selectFrom('account').where('id', '=', accountId).select(['userName', 'name', 'phonenumber']).executeTakeFirstOrThrow()
  const names = ['zhujitong', ...siteNames, person?.userName ?? '', person?.name ?? '', person?.phonenumber ?? phonenumber]
  const lower = password.toLowerCase()
  const isNamed = (name: string) => name.length >= (/[^\u0020-\u007e]/.test(name) ? 2 : minName) && lower.includes(name.toLowerCase())
  if (names.some(isNamed)) refuseField(['password'], 'password_name')
}
