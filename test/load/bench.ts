// npm run bench: measures the limits of speed. Creates the large market once (BENCH_DIR, data/bench), runs the product as in
// production and a bare server beside it, and prints a table with the bars.
//   npm run bench -- list search          only these rows; SECONDS=4 each; MACHINES=1000000
//   npm run bench -- peers                how to install four other programs; measures those whose addresses are given
import { availableParallelism, totalmem } from 'node:os'
import { rows as contracts } from './contracts.ts'
import { rows as evidence } from './evidence.ts'
import { rows as peers } from './peers.ts'
import { rows as prints } from './prints.ts'
import { writeLine } from './product.ts'
import { rows as questions } from './question-rows.ts'
import { listUrl, rows as reading } from './reading.ts'
import { openMarket } from './servers.ts'
import { rows as sockets } from './sockets.ts'
import { rows as writing } from './writing.ts'

const only = process.argv.slice(2)
const seconds = Number(process.env.SECONDS ?? 4)
/** The rates of the peers that are known were measured on 100,000 machines. */
const machines = Number(process.env.MACHINES ?? (only.join() === 'peers' ? 100_000 : 1_000_000))

type Row = { question: string; seen: string; bar: string; held: boolean }
const table: Row[] = []
const put = (question: string, seen: string, bar: string, held: boolean) => {
  table.push({ question, seen, bar, held })
  writeLine(`${held ? '  ' : '! '}${question.padEnd(58)} ${seen.padEnd(42)} ${bar}`)
}
/** Peers only when they are named, because nobody else has them running. */
const asked = (name: string) => (only.length === 0 ? name !== 'peers' : only.includes(name))

const market = openMarket(machines, `${listUrl}?pageSize=1`)
const bench = { ...market, asked, put, machines, fewer: machines / 10, seconds }
try {
  writeLine(`\n${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB; ${machines} machines; ${seconds} s a row\n`)
  await reading(bench)
  if (asked('questions')) await questions(bench)
  await writing(bench)
  if (asked('contracts')) await contracts(bench)
  if (asked('evidence')) await evidence(bench)
  if (asked('prints')) await prints({ put })
  if (asked('sockets')) await sockets({ put })
  if (asked('peers')) await peers(bench)
  writeLine(`\n${table.filter(({ held }) => held).length} of ${table.length} bars hold`)
  if (table.length === 0) writeLine(`Nothing was measured by ${only.join(' ')}, so this is no success.`)
  process.exitCode = table.length > 0 && table.every(({ held }) => held) ? 0 : 1
} finally {
  await market.stop()
}
