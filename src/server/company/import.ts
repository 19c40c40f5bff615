import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { certificationStatus, signOf } from '#shared/certification/rules.ts'
import { isCreditCode } from '#shared/company/rules.ts'
import { line, Mobile } from '#shared/fields.ts'
import { givenPassword } from '../account/passwords.ts'
import { firstPassword, hashPassword } from '../actor/hash.ts'
import { audited } from '../audit/log.ts'
import { transact, type Work } from '../deed.ts'
import { insertRoot } from '../dept/root.ts'
import type { Services } from '../services.ts'
import { readWorkbook } from '../workbook/read.ts'

const mostRows = 20_000

/** The columns of the workbook, in this order; the first row is their names. */
const companyColumns = ['enterpriseName', 'creditCode', 'kind', 'provinceId', 'cityId', 'userName', 'contactName', 'contactPhone'] as const

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

type Imported = { row: number; enterpriseName: string; result: 'added' | 'known' | 'refused'; detail: string; password?: string }

/**
 * Adds companies with their administrator, certified as they are: whoever runs the command has seen their papers. Each row holds by
 * itself; a known credit code is left alone, so the same file can be run again.
 */
export async function importCompanies(services: Services, file: string): Promise<Imported[]> {
  const rows = await readWorkbook(await readFile(file), mostRows)
  const results: Imported[] = []
  for (const { rowNo, cells } of rows.filter((row) => row.rowNo > 1)) {
    const texts = new Map(cells)
    const given = Object.fromEntries(companyColumns.map((column, at) => [column, texts.get(at) ?? '']))
    const at = { row: rowNo, enterpriseName: given.enterpriseName ?? '' }
    const parsed = Row.safeParse(given)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      results.push({ ...at, result: 'refused', detail: `${String(issue?.path[0])}: ${issue?.message}` })
      continue
    }
    try {
      results.push({ ...at, ...(await importCompany(services, parsed.data)) })
    } catch (error) {
      results.push({ ...at, result: 'refused', detail: (error as { detail?: string }).detail ?? (error as Error).message })
    }
  }
  return results
}

type Given = z.output<typeof Row>

async function importCompany(services: Services, row: Given): Promise<Pick<Imported, 'result' | 'detail' | 'password'>> {
  const known = await services.db.selectFrom('company').where('creditCode', '=', row.creditCode).select('id').executeTakeFirst()
  if (known) return { result: 'known', detail: '' }
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  await transact(services, { now: services.clock.now() }, async (work) => {
    const { id: companyId } = await audited(work, { command: 'import-companies' }, { action: 'company.import', bizType: 'company' }, () =>
      insertCompany(work, row),
    )
    await insertAdministrator(work, row, { companyId, passwordHash })
  })
  return { result: 'added', detail: row.userName, password }
}

const isLessor = ({ kind }: Given) => kind === 'lessor'

const insertCompany = ({ db, now }: Work, row: Given): Promise<{ id: number }> =>
  db
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
      ...(isLessor(row)
        ? { isLessor: true, lessorAudit: certificationStatus.passed }
        : { isLessee: true, lesseeAudit: certificationStatus.passed }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

async function insertAdministrator(
  { db, now }: Work,
  row: Given,
  { companyId, passwordHash }: { companyId: number; passwordHash: string },
): Promise<void> {
  const deptId = isLessor(row) ? null : await insertRoot({ db, now }, { companyId, deptName: row.enterpriseName })
  const { id: accountId } = await db
    .insertInto('account')
    .values({
      userName: row.userName,
      name: row.contactName,
      nickName: row.contactName,
      phonenumber: row.contactPhone,
      ...givenPassword(passwordHash, now),
      ...signOf[isLessor(row) ? 'rentout' : 'lease'],
      auditStatus: certificationStatus.passed,
      companyId,
      deptId,
      isAdmin: true,
      createTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (deptId !== null) await db.insertInto('accountDept').values({ accountId, deptId }).execute()
}
