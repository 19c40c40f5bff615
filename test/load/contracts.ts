// The rows of the bench about contracts: the lists of both sides and the page of one. Their PDFs are in prints.ts.
import pg from 'pg'
import { getContract, listContracts } from '#shared/contract/contract.ts'
import { contractStatuses } from '#shared/contract/rules.ts'
import { measure, type Running } from './product.ts'
import type { Bench } from './writing.ts'

/** The bar of a list of the own side at 16 connections, as of a page of the workbench. */
const p99Limit = 60

type Wanted = { put: Bench['put']; plain: Running; url: string; seconds: number }

export async function rows({ put, plain, url, seconds }: Wanted): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows: lessors } = await client.query<{ user_name: string; id: string }>(
    `select distinct on (a.id) a.user_name, c.id from account a join contract c on c.lessor_company_id = a.company_id
      where a.user_type = '4' and a.id < 6000 order by a.id, c.id limit 50`,
  )
  await client.end()
  const as = (userName: string, path: string) => ({ path: `/prod-api${path}`, headers: { authorization: `bench-${userName}` } })
  const asked = {
    'contracts of a group, by state': contractStatuses.map((status) => as('group1', `${listContracts.url}?status=${status}`)),
    'contracts of lessors': lessors.map(({ user_name: userName }) => as(userName, listContracts.url)),
    'one contract': lessors.map(({ user_name: userName, id }) => as(userName, getContract.url.replace(':id', id))),
  }
  for (const [title, requests] of Object.entries(asked)) {
    await measure({ port: plain.port, connections: 16, seconds, requests })
    const { rate, p99, answers } = await measure({ port: plain.port, connections: 16, seconds, requests })
    const failed = Object.keys(answers).some((code) => code !== '200')
    put(
      title,
      `${rate.toFixed(0)}/s, p99 ${p99.toFixed(0)} ms${failed ? ` ${JSON.stringify(answers)}` : ''}`,
      `p99 ≤ ${p99Limit} ms`,
      !failed && p99 <= p99Limit,
    )
  }
}
