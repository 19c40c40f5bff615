// How the rows of the bench ask as a browser does, judge the answers, and compare two rates.
import type { Load, Measure } from './client.ts'
import { measure } from './product.ts'

export const connections = 16

/** What a page's script sends with a question. */
export const browserHeaders = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}

export type Requests = Load['requests']

/** The questions as a browser puts them. */
export const asBrowser = (requests: Requests): Requests =>
  requests.map((request) => ({ ...request, headers: { ...browserHeaders, ...request.headers } }))

/** The answers that were no success, by their code, for the table; empty where all were. A row with any of them does not hold. */
export function failuresOf(...measures: readonly Measure[]): string {
  const failed: Record<string, number> = {}
  for (const { answers } of measures)
    for (const [code, times] of Object.entries(answers)) if (code !== '200') failed[code] = (failed[code] ?? 0) + times
  return Object.keys(failed).length === 0 ? '' : ` no success: ${JSON.stringify(failed)}`
}

/** Whether every answer was a success, and there was one. */
export const allAnswered = (...measures: readonly Measure[]): boolean =>
  failuresOf(...measures) === '' && measures.every(({ answers }) => (answers['200'] ?? 0) > 0)

export const rate = ({ rate: perSecond }: Pick<Measure, 'rate'>) => `${perSecond.toFixed(0)}/s`
export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`

/** A server runs for weeks, so its code is compiled and its plans and pools exist before its rate is measured. */
export async function warm(ports: readonly number[], requests: Requests, seconds = 10): Promise<void> {
  for (const port of ports) await measure({ port, connections: 20, seconds, requests: asBrowser(requests) })
}

type Ratio = { our: Measure; their: Measure; ratio: number }

/** Asks both in turn, three times each; the median of the ratios. */
export async function ratioOf(ours: () => Promise<Measure>, theirs: () => Promise<Measure>): Promise<Ratio> {
  const pairs: Ratio[] = []
  for (let round = 0; round < 3; round++) {
    const [our, their] = [await ours(), await theirs()]
    pairs.push({ our, their, ratio: our.rate / their.rate })
  }
  return medianOf(pairs)
}

/** The pair in the middle; a pair with an answer that was no success before all others, so that it is seen. */
export function medianOf(pairs: readonly Ratio[]): Ratio {
  const failed = pairs.find(({ our, their }) => !allAnswered(our, their))
  const sorted = pairs.toSorted((a, b) => a.ratio - b.ratio)
  const middle = failed ?? sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('nothing was compared')
  return middle
}
