export const entityType = { company: '1', soleTrader: '2', institution: '3', other: '4' } as const
export const entityTypes = Object.values(entityType)
export type EntityType = (typeof entityType)[keyof typeof entityType]
/** The size of a company by the law (GB/T 4754). */
export const scaleTypes = ['large', 'medium', 'small', 'micro'] as const
export type ScaleType = (typeof scaleTypes)[number]
export const taxpayerTypes = ['general', 'small'] as const
export type TaxpayerType = (typeof taxpayerTypes)[number]

/** Nobody of a locked company signs in. */
export const companyStatus = { active: '0', locked: '1' } as const
export const companyStatuses = Object.values(companyStatus)
export type CompanyStatus = (typeof companyStatus)[keyof typeof companyStatus]

const set = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

/** The 18th character of a unified social credit code (GB 32100-2015) for its first 17. */
export function creditCodeCheck(body: string): string | null {
  if (body.length !== 17) return null
  let sum = 0
  for (const [index, letter] of [...body].entries()) {
    const value = set.indexOf(letter)
    if (value < 0) return null
    sum += value * (weights[index] ?? 0)
  }
  return set[(31 - (sum % 31)) % 31] ?? null
}

/** The district whose office registered the company (GB 32100-2015, digits 3 to 8); null where the code is none or names no district. */
export function districtOfCreditCode(code: string): number | null {
  const digits = code.slice(2, 8)
  return isCreditCode(code) && /^[1-9]\d{5}$/.test(digits) ? Number(digits) : null
}

export function isCreditCode(code: string): boolean {
  return code.length === 18 && creditCodeCheck(code.slice(0, 17)) === code[17]
}
