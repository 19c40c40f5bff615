import { cancellationStatus } from '#shared/account/rules.ts'
import { ten } from './contract-jobs.ts'
import type { JobCase } from './job-cases.ts'
import { monday, type openWorld } from './world.ts'

const upload = { name: 'a.pdf', size: 1, mime: 'application/pdf', sha256: Buffer.alloc(32), access: 'owner' } as const

/** The files that jobs delete, each named by the account that uploaded it. */
export function fileJobCases({ db }: Awaited<ReturnType<typeof openWorld>>, givenAccount: () => Promise<number>) {
  const caseOf = (given: () => Promise<number>): JobCase => ({
    given: () => ten(given),
    broken: (id) => ({ when: 'delete', table: 'file', condition: `old.account_id = ${id}` }),
    isDone: async (id) => (await db.selectFrom('file').where('accountId', '=', id).select('id').execute()).length === 0,
  })
  return {
    /** Nothing refers to the files of ten erased people any more. */
    abandoned: caseOf(async () => {
      const accountId = await givenAccount()
      const cancelled = { accountId, reason: '', requestedAt: monday, dueAt: monday, doneAt: monday, status: cancellationStatus.erased }
      await db.insertInto('cancellation').values(cancelled).execute()
      await db
        .insertInto('file')
        .values({ ...upload, accountId })
        .execute()
      return accountId
    }),
    /** Nobody has attached the files that ten people uploaded a hundred days ago. */
    unused: caseOf(async () => {
      const accountId = await givenAccount()
      const createTime = new Date(monday.getTime() - 100 * 86_400_000)
      await db
        .insertInto('file')
        .values({ ...upload, accountId, createTime })
        .execute()
      return accountId
    }),
  }
}
