import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import * as accounts from '#shared/account/manage.ts'
import * as cancellations from '#shared/account/cancellation.ts'
import { permissionsFor, permissionsOf } from '#shared/account/permissions.ts'
import * as articles from '#shared/article/manage.ts'
import * as audit from '#shared/audit/contract.ts'
import type { AuditAction } from '#shared/audit/rules.ts'
import * as blacklist from '#shared/blacklist/contract.ts'
import * as broadcasts from '#shared/broadcast/contract.ts'
import * as categories from '#shared/category/manage.ts'
import * as certifications from '#shared/certification/contract.ts'
import { lookAtContract } from '#shared/contract/manage.ts'
import * as companies from '#shared/company/manage.ts'
import * as contacts from '#shared/contact/manage.ts'
import { takeDemandDown } from '#shared/demand/moves.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import * as machines from '#shared/equipment/manage.ts'
import * as feedback from '#shared/feedback/contract.ts'
import { resendOutbox } from '#shared/outbox/contract.ts'
import { retryJobItems } from '#shared/system/contract.ts'
import * as settings from '#shared/setting/contract.ts'
import { platformRows } from '#test/platform-rows.ts'
import { contractSteps } from '#test/given-contract.ts'
import { inTransaction } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast } = world
afterAll(() => world.close())

const reason = '演示原因'
const graded = () => ({ grade: 'A', before: null, reason })
const limits = settings.settingDefaults.limits
const {
  id,
  waiting,
  versionOf,
  certification,
  clear,
  account,
  article,
  listed,
  blacklistBody,
  cancellation,
  contact,
  complaint,
  categoryBody,
} = await platformRows(world)

type LoggedCall = { action: AuditAction; params?: () => Promise<number | string>; body?: (of: number) => object | Promise<object> }

/**
 * What the platform's people may do. A call that is not here and that the pipeline does not record by its contract fails the test.
 */
const loggedCalls = new Map<Endpoint, LoggedCall>([
  [
    certifications.rejectCertification,
    {
      action: 'certification.reject',
      params: () => certification('1'),
      body: () => ({ version: 1, reason, fields: [{ field: 'enterpriseName', reason }], documents: [] }),
    },
  ],
  [
    certifications.passCertification,
    { action: 'certification.pass', params: () => clear().then(() => certification('1')), body: () => ({ version: 1 }) },
  ],
  [
    certifications.revokeCertification,
    { action: 'certification.revoke', params: () => clear().then(() => certification('2')), body: () => ({ reason }) },
  ],
  [
    machines.passEquipment,
    { action: 'equipment.pass', params: waiting, body: async (of) => ({ version: await versionOf('equipment', of) }) },
  ],
  [
    machines.rejectEquipment,
    { action: 'equipment.reject', params: waiting, body: async (of) => ({ version: await versionOf('equipment', of), reason }) },
  ],
  [
    machines.passEquipmentBatch,
    {
      action: 'equipment.pass',
      body: async () => {
        const of = await waiting()
        return { machines: [{ id: of, version: await versionOf('equipment', of) }] }
      },
    },
  ],
  [
    machines.takeEquipmentDown,
    { action: 'equipment.takeDown', params: () => world.givenMachine(cast.lessor.companyId), body: () => ({ reason }) },
  ],
  [
    machines.restoreEquipment,
    { action: 'equipment.restore', params: () => world.givenMachine(cast.lessor.companyId, { shelfStatus: '2' }) },
  ],
  [
    machines.confirmTrusted,
    {
      action: 'equipment.confirm',
      params: async () => {
        const of = await world.givenMachine(cast.lessor.companyId)
        await db.updateTable('equipment').set({ trusted: true }).where('id', '=', of).execute()
        return of
      },
    },
  ],
  [takeDemandDown, { action: 'demand.takeDown', params: async () => (await world.givenDemand()).id, body: () => ({ reason }) }],
  [companies.gradeCompany, { action: 'company.grade', params: async () => cast.lessor.companyId, body: graded }],
  [
    lookAtContract,
    {
      action: 'contract.look',
      params: async () => {
        const { id } = await contractSteps(world).givenDraft()
        world.clock.set(monday)
        return id
      },
      body: () => ({ reason }),
    },
  ],
  [companies.lockCompany, { action: 'company.lock', params: async () => cast.lapsed.companyId, body: () => ({ reason }) }],
  [companies.unlockCompany, { action: 'company.unlock', params: async () => cast.lapsed.companyId, body: () => ({ reason }) }],
  [accounts.lockAccount, { action: 'account.lock', params: account, body: () => ({ reason }) }],
  [
    accounts.unlockAccount,
    {
      action: 'account.unlock',
      params: async () => {
        const of = await account()
        await db.updateTable('account').set({ status: '1' }).where('id', '=', of).execute()
        return of
      },
      body: () => ({ reason }),
    },
  ],
  [accounts.resetAccountPassword, { action: 'account.resetPassword', params: account, body: () => ({ reason }) }],
  [accounts.endAccountSessions, { action: 'account.endSessions', params: account, body: () => ({ reason }) }],
  [
    accounts.addStaff,
    {
      action: 'staff.add',
      body: () => ({ userName: 'newclerk', name: '新人', phonenumber: '13911112222', userType: '9', duties: ['content'] }),
    },
  ],
  [
    accounts.editStaff,
    {
      action: 'staff.edit',
      body: async () => {
        const of = await account('9')
        return { userId: of, version: await versionOf('account', of), name: '新人', userType: '9', duties: ['system'] }
      },
    },
  ],
  [cancellations.finishCancellation, { action: 'cancellation.finish', params: cancellation }],
  [cancellations.refuseCancellation, { action: 'cancellation.refuse', params: cancellation, body: () => ({ note: reason }) }],
  [articles.addArticle, { action: 'article.add', body: () => ({ tab: '2', title: '一条公告', content: '<p>内容</p>' }) }],
  [
    articles.editArticle,
    {
      action: 'article.edit',
      body: async () => ({ id: await article(), version: 1, tab: '1', title: '改过的信息', content: '<p>新的</p>' }),
    },
  ],
  [articles.publishArticle, { action: 'article.publish', params: article, body: () => ({ version: 1 }) }],
  [articles.takeArticleOff, { action: 'article.offline', params: () => article('1') }],
  [articles.deleteArticle, { action: 'article.delete', params: article }],
  [
    broadcasts.sendBroadcast,
    {
      action: 'broadcast.send',
      body: () => ({ title: '系统维护', content: '今晚十点维护', audience: { companyIds: [cast.lessor2.companyId] }, people: 1 }),
    },
  ],
  [feedback.answerFeedback, { action: 'feedback.answer', params: complaint, body: () => ({ content: '已处理', seen: 0 }) }],
  [feedback.finishFeedback, { action: 'feedback.close', params: complaint, body: () => ({ seen: 0 }) }],
  [contacts.handleContact, { action: 'contact.handle', params: contact, body: () => ({ note: '已联系' }) }],
  [blacklist.proposeBlacklist, { action: 'blacklist.propose', body: () => ({ ...blacklistBody, companyId: cast.lessor2.companyId }) }],
  [
    blacklist.editBlacklist,
    {
      action: 'blacklist.edit',
      body: async () => ({
        ...blacklistBody,
        companyId: cast.lessor2.companyId,
        level: 2,
        id: await listed('0', cast.operator.id),
        version: 1,
      }),
    },
  ],
  [blacklist.notifyBlacklist, { action: 'blacklist.notify', params: () => listed('0', cast.operator.id) }],
  [blacklist.withdrawBlacklist, { action: 'blacklist.withdraw', params: () => listed('0', cast.operator.id) }],
  [blacklist.emergencyBlacklist, { action: 'blacklist.emergency', params: () => listed('0'), body: () => ({ version: 1, note: reason }) }],
  [
    blacklist.decideBlacklist,
    { action: 'blacklist.decide', params: () => listed('1'), body: () => ({ version: 1, effective: true, note: reason }) },
  ],
  [
    blacklist.decideAppeal,
    { action: 'blacklist.decideAppeal', params: () => listed('3'), body: () => ({ version: 1, upheld: true, note: reason }) },
  ],
  [blacklist.liftBlacklist, { action: 'blacklist.lift', params: () => listed('2'), body: () => ({ version: 1, note: reason }) }],
  [categories.addCategory, { action: 'category.add', body: categoryBody }],
  [
    categories.editCategory,
    {
      action: 'category.edit',
      body: async () => {
        const made = await cast.operator.call(categories.addCategory, { body: await categoryBody() })
        return { ...(await categoryBody()), id: made.data.id, version: 1 }
      },
    },
  ],
  [
    categories.orderCategories,
    {
      action: 'category.order',
      body: async () => {
        const ids = (await db.selectFrom('category').where('level', '=', 1).orderBy('orderNum', 'desc').select('id').execute()).map(
          (one) => one.id,
        )
        return { parentId: 0, ids }
      },
    },
  ],
  [
    categories.saveDictionary,
    {
      action: 'dictionary.save',
      body: async () => {
        const entry = await db.selectFrom('dictionary').selectAll().executeTakeFirstOrThrow()
        return { ...entry, dictLabel: '新的叫法', before: entry }
      },
    },
  ],
  [settings.saveSetting, { action: 'setting.save', body: () => ({ key: 'limits', value: { looksPerDay: 20 }, before: limits, reason }) }],
  [
    resendOutbox,
    {
      action: 'outbox.resend',
      params: () =>
        id(
          db
            .insertInto('outbox')
            .values({
              phonenumber: '13912345678',
              template: 'notice',
              content: '您有新消息',
              provider: 'local',
              status: '2',
              error: '超时',
              createTime: monday,
              notBefore: monday,
            })
            .returning('id'),
        ),
    },
  ],
  [
    retryJobItems,
    {
      action: 'job.retry',
      params: async () => {
        const item = { job: 'savedSearches', key: '1', tries: 5, lastError: '超时', failedAt: monday, due: monday, setAsideAt: monday }
        await db.insertInto('failedItem').values(item).execute()
        return item.job
      },
    },
  ],
])

const last = () => db.selectFrom('auditLog').orderBy('seq', 'desc').limit(1).selectAll().executeTakeFirst()

describe('every change by the platform’s people is in the audit log with its before and after', () => {
  test('no call is left out', () => {
    const recordsItself = ({ audit, transaction }: Endpoint) => audit && transaction !== 'own'
    const byDuty = (access: string) =>
      (permissionsOf.operator as readonly string[]).includes(access) &&
      !(permissionsFor('operator', [], false) as readonly string[]).includes(access)
    const writing = world.api.routes
      .map(({ endpoint }) => endpoint)
      .filter(
        (endpoint) =>
          endpoint.method !== 'GET' &&
          byDuty(endpoint.access) &&
          endpoint !== articles.previewArticle &&
          endpoint !== articles.uploadArticleImage,
      )
    expect(
      writing.filter((endpoint) => !recordsItself(endpoint) && !loggedCalls.has(endpoint)).map(({ method, url }) => `${method} ${url}`),
    ).toEqual([])
  })

  test.each([...loggedCalls].map(([endpoint, call]) => [call.action, endpoint, call] as const))(
    '%s',
    async (action, endpoint, { params, body }) => {
      const of = await params?.()
      const input = await body?.(Number(of ?? 0))
      const before = (await last())?.seq ?? 0
      const { code, data } = await cast.operator.call(endpoint, { params: { id: String(of) }, body: input ?? {} })
      expect({ code, data }).toMatchObject({ code: 200 })
      const entry = await last()
      expect(entry).toMatchObject({ seq: before + 1, action, accountId: cast.operator.id, who: 'operator', address: '127.0.0.1' })
      if (of !== undefined) expect(entry?.bizId).toBe(String(of))
      if (input && 'reason' in input) expect(entry?.reason).toBe(reason)
      const ends = action.endsWith('.delete')
      const begins = /\.(add|propose|send)$/.test(action)
      if (!begins) expect(entry?.before).not.toBeNull()
      if (!ends) expect(entry?.after).not.toBeNull()
      if (!['account.endSessions', 'contract.look'].includes(action)) expect(entry?.before).not.toEqual(entry?.after)
      // Neither a number nor a secret is in it.
      expect(JSON.stringify([entry?.before, entry?.after])).not.toMatch(/1[3-9]\d{9}|password_?[hH]ash/)
    },
  )

  test('what is refused leaves nothing', async () => {
    const before = (await last())?.seq
    expect((await cast.operator.call(accounts.lockAccount, { params: { id: cast.operator.id }, body: { reason } })).code).toBe(409)
    expect((await cast.operator.call(accounts.lockAccount, { params: { id: 987_654 }, body: { reason } })).code).toBe(404)
    expect((await last())?.seq).toBe(before)
  })
})

describe('the log itself', () => {
  test('is found by who, action, object, day and words; an auditor sees their organisation only', async () => {
    const { data } = await cast.operator.call(audit.listAudit, {
      query: { action: 'company.grade', keyword: reason, from: '2026-11-23', to: '2026-11-23', who: 'operator' },
    })
    expect(data.rows).toMatchObject([{ action: 'company.grade', bizType: 'company', bizId: String(cast.lessor.companyId), reason }])
    expect((await cast.operator.call(audit.listAudit, { query: { from: '2026-11-24' } })).data.total).toBe(0)
    const entry = await cast.operator.call(audit.getAudit, { params: { seq: data.rows[0]?.seq } })
    expect(entry.data).toMatchObject({ before: { grade: null }, after: { grade: 'A' } })
    const own = await cast.auditor.call(audit.listAudit, { query: {} })
    expect(own.data.rows.map(({ action }) => action)).toEqual(['contract.look', 'demand.takeDown'])
    expect((await cast.auditor.call(audit.getAudit, { params: { seq: data.rows[0]?.seq } })).code).toBe(404)
  })

  test('exports as a workbook, and the export is an entry too', async () => {
    const file = await cast.operator.call(audit.exportAudit, { query: { action: 'company.grade' } })
    expect(file.bytes.subarray(0, 2).toString()).toBe('PK')
    expect(await last()).toMatchObject({ action: 'audit.export', after: { action: 'company.grade' } })
  })

  test('nobody changes or deletes an entry', async () => {
    await expect(sql`update audit_log set reason = '改过' where seq = 2`.execute(db)).rejects.toThrow(/only added/)
    await expect(sql`delete from audit_log where seq = 2`.execute(db)).rejects.toThrow(/only added/)
  })

  test('many at once stay one chain', async () => {
    await Promise.all(
      Array.from({ length: 12 }, async () =>
        cast.operator.call(accounts.lockAccount, { params: { id: await account() }, body: { reason } }),
      ),
    )
    const { data } = await cast.operator.call(audit.verifyAudit, {})
    expect(data).toMatchObject({ broken: null })
    expect(data.entries).toBe((await last())?.seq)
    expect(data.head).toBe((await last())?.hash)
  })

  /** As somebody who can write to the database would. */
  const tamper = (statement: string) =>
    inTransaction(db, async (tx) => {
      await sql`alter table audit_log disable trigger audit_log_kept`.execute(tx)
      await sql.raw(statement).execute(tx)
      await sql`alter table audit_log enable trigger audit_log_kept`.execute(tx)
    })

  test.each([
    ['a reason', `update audit_log set reason = reason || '。' where seq = 7`],
    ['a value after', `update audit_log set after = '{"grade": "B"}' where seq = 7`],
    ['an instant', `update audit_log set at = at + interval '1 millisecond' where seq = 7`],
    ['who', `update audit_log set who = 'operatos' where seq = 7`],
  ])('one changed byte, of %s: verification names the entry', async (_, statement) => {
    const before = await db.selectFrom('auditLog').where('seq', '=', 7).selectAll().executeTakeFirstOrThrow()
    await tamper(statement)
    const { data } = await cast.auditor.call(audit.verifyAudit, {})
    expect(data.broken).toMatchObject({ seq: 7, action: before.action })
    // Put back as it was.
    await tamper('delete from audit_log where seq = 7')
    await db
      .insertInto('auditLog')
      .values({
        ...before,
        at: new Date(`${before.at.replace(' ', 'T')}+08:00`),
        before: before.before === null ? null : JSON.stringify(before.before),
        after: before.after === null ? null : JSON.stringify(before.after),
      })
      .execute()
  })

  test('an entry that is missing shows at the one after it', async () => {
    await tamper('delete from audit_log where seq = 9')
    expect((await cast.operator.call(audit.verifyAudit, {})).data.broken).toMatchObject({ seq: 10 })
  })
})
