import { deptType } from '#shared/dept/rules.ts'
import type { Work } from '../deed.ts'

const maxName = 60

/** The name of the root of a company's organisation, of its registered name. */
export const rootName = (enterpriseName: string): string => enterpriseName.slice(0, maxName)

/** Makes the node of an organisation below which its units and projects hang; it has the company's name. */
export async function insertRoot(
  { db, now }: Pick<Work, 'db' | 'now'>,
  { companyId, deptName }: { companyId: number; deptName: string },
): Promise<number> {
  const { id } = await db
    .insertInto('dept')
    .values({ deptName: rootName(deptName), deptType: deptType.enterprise, companyId, createTime: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
