import type { startProduct } from './product.ts'

type Product = Awaited<ReturnType<typeof startProduct>>

/** Finds a demand of the demo market that the lessor of that sign-in name may quote for and has not quoted for. */
export async function quotableDemand(product: Product, userName: string): Promise<number> {
  const { access_token: token } = await product.token(userName)
  const open = await product.sql(
    `select id from demand where status = '3' and quote_deadline > now() + interval '1 hour' order by quote_deadline desc`,
  )
  for (const { id } of open) {
    const answer = await fetch(`${product.origin}/prod-api/business/leasingApply/demand/${id}`, { headers: { authorization: token } })
    const { data } = (await answer.json()) as { data: { bar: string | null; quote: object | null } | null }
    if (data && data.bar === null && data.quote === null) return Number(id)
  }
  throw new Error(`no demand is open for ${userName}`)
}
