import { deptType } from '#shared/dept/rules.ts'
import type { Work } from '../deed.ts'

const maxName = 60

/** Makes the node of an organisation below which its units and projects hang; it has the company's name. */
export async function insertRoot(
  { db, now }: Pick<Work, 'db' | 'now'>,
  { companyId, deptName }: { companyId: number; deptName: string },
): Promise<number> {
  const { id } = await db
    .insertInto('dept')
    .values({ deptName: deptName.slice(0, maxName), deptType: deptType.enterprise, companyId, createTime: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
