// The row of the bench about the evidence pack of a contract: it leaves while its files are read, so the server's memory does not grow with it.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exportContractEvidence } from '#shared/contract/contract.ts'
import { peakMbDuring } from './memory.ts'
import { browserHeaders } from './rates.ts'
import type { Bench } from './servers.ts'

const mb = 1024 * 1024
const fileMb = 20
/** Scans of 20 MB in the small pack and in the large one, which stays below the size from which a pack is split. */
const few = 2
const many = 22
/** By so much may the large pack exceed the small one in memory, of twenty times as much that is sent. */
const mostGrowthMb = 40
const rounds = 3

export async function rows({ put, large, servers, folder }: Bench): Promise<void> {
  const plain = await servers.plain()
  const [contract] = await large.query<{ id: number; user_name: string; account_id: number }>(
    `select c.id, a.user_name, a.id as account_id from contract c join account a on a.company_id = c.lessor_company_id and a.user_type = '4'
      where a.id < 6000 and c.status = '2' order by c.id desc limit 1`,
  )
  if (!contract) throw new Error('the large market has no contract')
  const scans = new Scans(join(await folder(), 'files', 'files'))
  const address = `${plain.origin}/prod-api${exportContractEvidence.url.replace(':id', String(contract.id))}`
  const add = async (ids: readonly string[]) => {
    await large.query(
      `with stored as (
        insert into file (id, name, size, mime, sha256, access, account_id)
          select id, '扫描件.pdf', $2::integer, 'application/pdf', $3::bytea, 'partners', $4::bigint from unnest($1::uuid[]) id returning id)
      insert into contract_file (contract_id, kind, file_id, order_num) select $5::bigint, 'scan', id, row_number() over () from stored`,
      [ids, fileMb * mb, scans.sha256, contract.account_id, contract.id],
    )
  }
  const packed = () =>
    peakMbDuring(plain, async () => {
      const answer = await fetch(address, { headers: { ...browserHeaders, authorization: `bench-${contract.user_name}` } })
      if (answer.status !== 200 || !answer.body) throw new Error(`the pack answered ${answer.status}`)
      let bytes = 0
      for await (const chunk of answer.body) bytes += chunk.byteLength
      return bytes
    })
  /** The most of several, because memory is given back when it pleases the runtime. */
  const measured = async () => {
    let [bytes, peakMb] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      const one = await packed()
      bytes = one.result
      peakMb = Math.max(peakMb, one.peakMb)
    }
    return { bytes, peakMb }
  }
  try {
    await add(scans.make(few))
    const small = await measured()
    await add(scans.make(many - few))
    const whole = await measured()
    const growth = whole.peakMb - small.peakMb
    put(
      `evidence pack of ${many} scans against ${few}`,
      `${(small.bytes / mb).toFixed(0)} → ${(whole.bytes / mb).toFixed(0)} MB sent, memory ${small.peakMb.toFixed(0)} → ${whole.peakMb.toFixed(0)} MB`,
      `≤ ${mostGrowthMb} MB more`,
      growth <= mostGrowthMb && whole.bytes > many * fileMb * mb,
    )
  } finally {
    await large.query('delete from contract_file where file_id = any($1::uuid[])', [scans.ids])
    await large.query('delete from file where id = any($1::uuid[])', [scans.ids])
    scans.remove()
  }
}

/** Files of the storage, which are all the same one on the disk. */
class Scans {
  readonly ids: string[] = []
  readonly sha256: Buffer
  private readonly content: string
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    const bytes = randomBytes(fileMb * mb)
    this.sha256 = createHash('sha256').update(bytes).digest()
    mkdirSync(folder, { recursive: true })
    this.content = join(folder, 'scan-of-the-bench')
    writeFileSync(this.content, bytes)
  }

  private path = (id: string) => join(this.folder, id.slice(0, 2), id)

  make(count: number): string[] {
    const made = Array.from({ length: count }, () => randomUUID())
    for (const id of made) {
      mkdirSync(dirname(this.path(id)), { recursive: true })
      linkSync(this.content, this.path(id))
    }
    this.ids.push(...made)
    return made
  }

  remove(): void {
    for (const id of this.ids) rmSync(this.path(id), { force: true })
    rmSync(this.content, { force: true })
  }
}
