// The rows of the bench about PDFs, which a process beside the server draws.
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { zhCn } from '#shared/text/zh-cn.ts'
import { maxPositions } from '#shared/contract/rules.ts'
import { contractPrint } from '#server/contract/contract-print.ts'
import { makePdf } from '#server/pdf/pdf.ts'
import { randomContract } from '../random-contract.ts'
import { readPdf } from '../read-pdf.ts'
import type { Bench } from './servers.ts'

const drawn = 20
const limit = { ms: 1000, mb: 150 }

/** Draws contracts of about ten pages and of as many positions as one may have, one after the other and two at once. */
export async function rows({ put }: Pick<Bench, 'put'>): Promise<void> {
  const making = { text: zhCn, site: zhCn.site.name, now: new Date(), address: 'https://market.example/workbench/contract/detail?id=1' }
  const prints = (positions: number, count: number) =>
    fc
      .sample(randomContract({ min: positions, max: positions }), { numRuns: count, seed: 1 })
      .map(({ printed }) => contractPrint(printed, making))
  const draw = async (print: ReturnType<typeof contractPrint>) => {
    const began = performance.now()
    const { content } = await makePdf('bench', print)
    return { ms: performance.now() - began, content }
  }
  for (const print of prints(5, 5)) await draw(print)
  const cpuBefore = cpuMs()
  const alone = []
  for (const print of prints(14, drawn)) alone.push(await draw(print))
  const cpu = (cpuMs() - cpuBefore) / drawn
  const pages = await Promise.all(alone.map(async ({ content }) => (await readPdf(content)).length))
  const slowest = Math.max(...alone.map(({ ms }) => ms))
  put(
    `PDF of a contract, ${Math.min(...pages)} to ${Math.max(...pages)} pages`,
    `${cpu.toFixed(0)} ms of one core, slowest ${slowest.toFixed(0)} ms, ${Math.max(...peaksMb())} MB at most`,
    `≤ ${limit.ms} ms, ≤ ${limit.mb} MB`,
    cpu <= limit.ms && slowest <= limit.ms && Math.max(...peaksMb()) <= limit.mb,
  )
  const began = performance.now()
  await Promise.all(prints(14, drawn).map((print) => draw(print)))
  const each = (performance.now() - began) / drawn
  put(
    `${drawn} of them at once`,
    `one in ${each.toFixed(0)} ms, in ${peaksMb().length} processes of ${peaksMb().join(' and ')} MB at most`,
    `two processes, ≤ ${limit.mb} MB each`,
    peaksMb().length === 2 && Math.max(...peaksMb()) <= limit.mb,
  )
  const [largest] = prints(maxPositions, 1)
  if (!largest) return
  const { ms, content } = await draw(largest)
  put(
    `PDF of ${maxPositions} positions, ${(await readPdf(content)).length} pages`,
    `${ms.toFixed(0)} ms, ${(content.byteLength / 1024).toFixed(0)} KB, ${Math.max(...peaksMb())} MB at most`,
    'drawn',
    content.byteLength > 0,
  )
}

/** The processes that draw, which are those that this one has started. */
const drawing = () =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean))
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pdf-process'))

/** The most memory that each has held. */
const peaksMb = () =>
  drawing().map((pid) => Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024))

const tickMs = 10
/** The time of a core that they have used together. */
const cpuMs = () =>
  drawing().reduce((sum, pid) => {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
    return sum + (user + system) * tickMs
  }, 0)
