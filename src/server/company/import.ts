import readSheets from 'read-excel-file/node'
import { z } from 'zod'
import { isCreditCode } from '#shared/company/rules.ts'
import { line, Mobile } from '#shared/fields.ts'
import { firstPassword, hashPassword } from '../actor/hash.ts'
import { audited } from '../audit/log.ts'
import type { Db } from '../db/connect.ts'

/** The columns of the workbook, in this order; the first row is their names. */
export const companyColumns = [
  'enterpriseName',
  'creditCode',
  'kind',
  'provinceId',
  'cityId',
  'userName',
  'contactName',
  'contactPhone',
] as const

const Row = z.object({
  enterpriseName: line(4, 100),
  creditCode: z.string().trim().toUpperCase().refine(isCreditCode, 'not a unified social credit code'),
  kind: z.enum(['lessor', 'lessee']),
  provinceId: z.coerce.number().int(),
  cityId: z.coerce.number().int(),
  userName: z
    .string()
    .trim()
    .regex(/^[a-zA-Z][\w.-]{1,29}$/),
  contactName: line(2, 20),
  contactPhone: Mobile,
})

export type Imported = { row: number; enterpriseName: string; result: 'added' | 'known' | 'refused'; detail: string; password?: string }

/**
 * Companies with their administrator, certified as they are: whoever runs the command has seen their papers. Each row by
 * itself; one whose credit code is known is left alone, so that the same file can be run again.
 */
export async function importCompanies(db: Db, file: string, now: Date): Promise<Imported[]> {
  const [sheet] = await readSheets(file)
  const cells = (sheet?.data ?? []) as unknown[][]
  const results: Imported[] = []
  for (const [index, row] of cells.slice(1).entries()) {
    const given = Object.fromEntries(
      companyColumns.map((column, at) => [column, row[at] === null ? '' : String(row[at] as string | number)]),
    )
    const at = { row: index + 2, enterpriseName: given.enterpriseName ?? '' }
    const parsed = Row.safeParse(given)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      results.push({ ...at, result: 'refused', detail: `${String(issue?.path[0])}: ${issue?.message}` })
      continue
    }
    try {
      const password = await insertCompany(db, parsed.data, now)
      results.push(
        password === null ? { ...at, result: 'known', detail: '' } : { ...at, result: 'added', detail: parsed.data.userName, password },
      )
    } catch (error) {
      results.push({ ...at, result: 'refused', detail: (error as { detail?: string }).detail ?? (error as Error).message })
    }
  }
  return results
}

/** The first password of its administrator, or null when the company is known. */
function insertCompany(db: Db, row: z.output<typeof Row>, now: Date): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const known = await tx.selectFrom('company').where('creditCode', '=', row.creditCode).select('id').executeTakeFirst()
    if (known) return null
    const lessor = row.kind === 'lessor'
    const { id: companyId } = await audited(
      tx,
      { command: 'import-companies' },
      { action: 'company.import', bizType: 'company' },
      now,
      () =>
        tx
          .insertInto('company')
          .values({
            enterpriseName: row.enterpriseName,
            creditCode: row.creditCode,
            provinceId: row.provinceId,
            cityId: row.cityId,
            contactName: row.contactName,
            contactPhone: row.contactPhone,
            searchText: row.enterpriseName,
            createTime: now,
            updateTime: now,
            ...(lessor ? { isLessor: true, lessorAudit: '2' } : { isLessee: true, lesseeAudit: '2' }),
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
    )
    let deptId: number | null = null
    if (!lessor)
      deptId = (
        await tx
          .insertInto('dept')
          .values({ deptName: row.enterpriseName.slice(0, 60), deptType: '1', companyId, createTime: now })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const password = firstPassword()
    const account = await tx
      .insertInto('account')
      .values({
        userName: row.userName,
        name: row.contactName,
        nickName: row.contactName,
        phonenumber: row.contactPhone,
        passwordHash: await hashPassword(password),
        passwordUpdatedAt: now,
        mustChangePassword: true,
        userType: lessor ? '4' : '2',
        certSign: lessor ? 1 : 2,
        auditStatus: '2',
        companyId,
        deptId,
        isAdmin: true,
        createTime: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (deptId !== null) await tx.insertInto('accountDept').values({ accountId: account.id, deptId }).execute()
    return password
  })
}
