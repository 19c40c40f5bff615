import type { Product } from './product.ts'

/** The newest open demand, machine on the shelf, lessor and article, which everybody may read. */
export const publicIds = async (product: Product) =>
  (
    await product.sql(`select (select max(id) from demand where status = '3') as a, (select max(id) from equipment where shelf_status = '1') as b,
    (select max(id) from company where lessor_audit = '2' and blacklisted_at is null) as c, (select max(id) from article where tab = '1' and status = '1') as d`)
  ).flatMap((row) => [row.a, row.b, row.c, row.d])
