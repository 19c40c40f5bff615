// The rows of the bench about workbooks: an import that is checked, and an export of as many rows as one may have.
import readSheets from 'read-excel-file/node'
import writeXlsxFile from 'write-excel-file/node'
import { exportReport } from '#shared/statistics/report.ts'
import { peakMbDuring } from './memory.ts'
import { until, type Running } from './product.ts'
import { browserHeaders, ms } from './rates.ts'
import type { Bench } from './servers.ts'

type Wanted = { put: Bench['put']; plain: Running }

const imported = 2000
const exported = 10_000
/** So many exports one after the other; what they hold at most may not grow from the first half to the second. */
const rounds = 6
const limit = { ms: 3000, growth: 1.1 }

const tokenOf = (userName: string) => ({ ...browserHeaders, authorization: `bench-${userName}` })

export async function rows(wanted: Wanted): Promise<void> {
  await importing(wanted)
  await exporting(wanted)
}

async function importing({ put, plain }: Wanted): Promise<void> {
  const headers = tokenOf('lessor500')
  const url = `${plain.origin}/prod-api/business/equipment`
  const template = await fetch(`${url}/importTemplate?fatherCategoryId=100`, { headers })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await filledIn(Buffer.from(await template.arrayBuffer())))]), '设备.xlsx')
  const began = performance.now()
  const sent = (await (await fetch(`${url}/importData`, { method: 'POST', headers, body: form })).json()) as {
    msg: string
    data: { importId: number } | null
  }
  if (!sent.data) throw new Error(sent.msg)
  type Import = { status: string; counts?: Record<string, number>; total?: number }
  let found: Import | null = null
  await until(async () => {
    const answer = await fetch(`${url}/import/${sent.data?.importId}`, { headers })
    found = ((await answer.json()) as { data: Import | null }).data
    return found !== null && !['0', 'reading', 'checking'].includes(found.status)
  })
  const took = performance.now() - began
  put(
    `.xlsx import of ${imported} rows, checked`,
    `${ms(took)} ${JSON.stringify({ ...(found as object | null), rows: undefined }).slice(0, 60)}`,
    `≤ ${limit.ms} ms`,
    took <= limit.ms,
  )
}

/** The template with machines in it. */
async function filledIn(template: Buffer): Promise<Buffer> {
  const [sheet] = await readSheets(template)
  const keys = (sheet?.data[0] ?? []).map(String)
  const names = keys.map((value) => ({ type: String, value }))
  const machines = Array.from({ length: imported }, (_, at) => {
    const machine = machineAt(at)
    return keys.map((key) => ({ type: String, value: machine[key.split(':').at(-1) ?? key] ?? '' }))
  })
  return writeXlsxFile([{ sheet: 'any', data: [names, names, ...machines] }]).toBuffer()
}

const machineAt = (at: number): Record<string, string> => ({
  category: '轮式装载机',
  brand: '柳工',
  model: '856H',
  factoryNo: `IMP-${Date.now()}-${at}`,
  outFactoryDate: '2022-03-05',
  province: '四川省',
  city: '成都市',
  priceM: '16000',
  'spec.ratedLoad.t': '5',
})

async function exporting({ put, plain }: Wanted): Promise<void> {
  const before = plain.memoryMb()
  const times: number[] = []
  const peaks: number[] = []
  let content = new ArrayBuffer()
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const { result, peakMb } = await peakMbDuring(plain, async () => {
      const file = await fetch(`${plain.origin}/prod-api${exportReport.url}?from=2020-01-01&to=2035-12-31`, { headers: tokenOf('group1') })
      if (file.status !== 200) throw new Error(`the export answered ${file.status}: ${(await file.text()).slice(0, 200)}`)
      return file.arrayBuffer()
    })
    content = result
    times.push(performance.now() - began)
    peaks.push(peakMb)
  }
  const counted = Math.max(...(await readSheets(Buffer.from(content))).map(({ data }) => data.length - 1))
  const slowest = Math.max(...times)
  const [first, second] = [Math.max(...peaks.slice(0, rounds / 2)), Math.max(...peaks.slice(rounds / 2))]
  const mb = (value: number) => value.toFixed(0)
  put(
    `export of ${exported} rows`,
    `${ms(slowest)}, ${counted} rows, ${(content.byteLength / 1024).toFixed(0)} KB`,
    `≤ ${limit.ms} ms, ${exported} rows`,
    slowest <= limit.ms && counted === exported,
  )
  put(
    `memory of ${rounds} exports, first half against second`,
    `${mb(before)} MB before, ${mb(first)} → ${mb(second)} MB at most`,
    `≤ ${limit.growth} ×`,
    second <= first * limit.growth,
  )
}
