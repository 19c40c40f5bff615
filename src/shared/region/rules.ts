/** GB/T 2260 style: the parent of a code follows from its digits; provinces have none. */
export function parentOf(code: number): number | null {
  if (code % 10_000 === 0) return null
  return code % 100 === 0 ? Math.floor(code / 10_000) * 10_000 : Math.floor(code / 100) * 100
}

export function levelOf(code: number): 1 | 2 | 3 {
  if (code % 10_000 === 0) return 1
  return code % 100 === 0 ? 2 : 3
}

export const isCityOf = (provinceId: number, cityId: number) => parentOf(cityId) === provinceId
export const isDistrictOf = (cityId: number, districtId: number) => parentOf(districtId) === cityId
