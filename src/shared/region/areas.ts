/** The seven areas in which the trade speaks of provinces, by the first digits of their codes. */
export const areas = {
  north: [11, 12, 13, 14, 15],
  northeast: [21, 22, 23],
  east: [31, 32, 33, 34, 35, 36, 37],
  central: [41, 42, 43],
  south: [44, 45, 46],
  southwest: [50, 51, 52, 53, 54],
  northwest: [61, 62, 63, 64, 65],
} as const
export type Area = keyof typeof areas

/** The provinces of an area among those given. */
export const provincesIn = (area: Area, provinces: readonly number[]): number[] =>
  provinces.filter((code) => areas[area].some((digits) => digits === Math.floor(code / 10_000)))
