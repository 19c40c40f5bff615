/** A number with its noun: "1 machine", "2 machines". The number may come written, as "1,200" or "10,000+". */
export const counted = (n: number | string, one: string, more = `${one}s`): string => `${n} ${Number(n) === 1 ? one : more}`
