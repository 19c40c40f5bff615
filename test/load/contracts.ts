// The rows of the bench about contracts: the lists of both sides and the page of one. Their PDFs are in prints.ts.
import { getContract, listContracts } from '#shared/contract/contract.ts'
import { contractStatuses } from '#shared/contract/rules.ts'
import { measure } from './product.ts'
import { allAnswered, asBrowser, connections, failuresOf, rate } from './rates.ts'
import type { Bench } from './servers.ts'

/** The bar of a list of the own side at 16 connections, as of a page of the workbench. */
const p99Limit = 60

export async function rows({ put, servers, large, seconds }: Bench): Promise<void> {
  const lessors = await large.query<{ user_name: string; id: string }>(
    `select distinct on (a.id) a.user_name, c.id from account a join contract c on c.lessor_company_id = a.company_id
      where a.user_type = '4' and a.id < 6000 order by a.id, c.id limit 50`,
  )
  const { port } = await servers.plain()
  const as = (userName: string, path: string) => ({ path: `/prod-api${path}`, headers: { authorization: `bench-${userName}` } })
  const asked = {
    'contracts of a group, by state': contractStatuses.map((status) => as('group1', `${listContracts.url}?status=${status}`)),
    'contracts of lessors': lessors.map(({ user_name: userName }) => as(userName, listContracts.url)),
    'one contract': lessors.map(({ user_name: userName, id }) => as(userName, getContract.url.replace(':id', id))),
  }
  for (const [title, questions] of Object.entries(asked)) {
    const requests = asBrowser(questions)
    await measure({ port, connections, seconds, requests })
    const seen = await measure({ port, connections, seconds, requests })
    put(
      title,
      `${rate(seen)}, p99 ${seen.p99.toFixed(0)} ms${failuresOf(seen)}`,
      `p99 ≤ ${p99Limit} ms`,
      allAnswered(seen) && seen.p99 <= p99Limit,
    )
  }
}
