import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { inject } from 'vitest'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import { publishDemand } from '#shared/demand/contract.ts'
import type { Call, Endpoint } from '#shared/endpoint.ts'
import { submitQuote } from '#shared/quote/contract.ts'
import type { ShelfStatus } from '#shared/equipment/rules.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { CodeCounter } from '#server/db/codes.ts'
import { connect } from '#server/db/connect.ts'
import { notifyWithoutRest } from '#server/quote/notices.ts'
import { loadPages } from '#server/web.ts'
import { AnswerCache } from '#server/http/answer-cache.ts'
import { Hub } from '#server/message/hub.ts'
import { handClock } from '#server/outside/clock.ts'
import type { Sms } from '#server/outside/sms.ts'
import { folderStorage } from '#server/outside/storage.ts'
import { castDatabase, insertMember, monday, type Cast, type Member, type MemberValues } from './cast.ts'
import type { Answer, CallAs, Person } from './person.ts'
import { copyDatabase } from './template-db.ts'

export { monday } from './cast.ts'
export type { Answer, Person } from './person.ts'

export const password = 'Zhuji@2026'
/** The hash of `password`, of the least cost: most tests are about counting and not about the hash. */
export const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/**
 * A copy of the database with the cast (test/cast.ts) and a visitor. Each connection plans anew what it is asked, so there are few: half as many as in
 * production take a tenth less of a processor. A test in which more than three calls wait for one another needs more. `sockets`:
 * messages reach the websockets of the server, over one more connection; with `pages` they do as well.
 */
export async function openWorld({ pages = false, sockets = false, cacheMs = 0, connections = 5 } = {}) {
  const { url, drop } = await copyDatabase(inject('template'), castDatabase)
  const { db, pool } = connect(url, connections)
  const codes = new CodeCounter(url)
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-files-'))
  const clock = handClock(monday)
  const hub = new Hub(db)
  const config = readConfig({ LOG_LEVEL: 'silent' })
  /** The SMS that were sent; `fails` makes the provider refuse. */
  const letters: Sms[] = []
  const sms = {
    name: 'local' as const,
    fails: false,
    send: (letter: Sms) => {
      if (sms.fails) return Promise.reject(new Error('the provider is away'))
      letters.push(letter)
      return Promise.resolve(`local-${letters.length}`)
    },
  }
  const services = {
    db,
    pool,
    codes,
    replica: null,
    config,
    secret: 'a-secret-for-tests-of-more-than-32-letters',
    clock,
    storage: folderStorage(folder),
    scan: null,
    hub,
    answerCache: new AnswerCache(cacheMs),
    sms,
    writeLine: (_line: string): void => undefined,
  }
  // With the pages as well, for a browser and a clock moved by hand.
  const web = pages ? await loadPages(services, () => api) : undefined
  const { server, api } = await buildApp(services, web)
  if (sockets || pages) await hub.listen(url, () => undefined)

  const asPerson = (member: Member): Person => ({ ...member, call: caller(member.token) })

  /** `address`: limits are counted by it. `device`: the id that a browser of ours sends. */
  function caller(token: string | null, language = 'zh-CN', address = '127.0.0.1', device = ''): CallAs {
    return async <E extends Endpoint>(endpoint: E, input: Call<E> | Record<string, unknown>): Promise<Answer<E>> => {
      const {
        params = {},
        query = {},
        body,
      } = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
      const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
      return send({
        method: endpoint.method,
        url: `/prod-api${path}${search ? `?${search}` : ''}`,
        token,
        body,
        language,
        address,
        headers: { ...(device && { 'x-device': device }) },
        list: endpoint.form === 'list',
      }) as Promise<Answer<E>>
    }
  }

  async function send({
    method,
    url: path,
    token,
    body,
    language = 'zh-CN',
    list = false,
    headers = {},
    address = '127.0.0.1',
  }: {
    method: string
    url: string
    token?: string | null
    body?: unknown
    language?: string
    list?: boolean
    headers?: Record<string, string>
    address?: string
  }): Promise<Answer> {
    const response = await server.inject({
      method: method as 'GET',
      url: path,
      remoteAddress: address,
      headers: {
        'accept-language': language,
        ...(token && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const json = response.headers['content-type']?.toString().includes('json') ? response.json<Record<string, unknown>>() : {}
    return {
      http: response.statusCode,
      code: Number(json.code),
      msg: String(json.msg),
      data: list ? { total: json.total, rows: json.rows } : json.data,
      raw: json,
      bytes: response.rawPayload,
    }
  }

  const { members, depts } = inject('cast')
  const people = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, asPerson(member)]))
  const cast = {
    ...(people as Record<keyof Cast['members'], Person>),
    visitor: { id: 0, token: null, companyId: 0, deptId: 0, call: caller(null) },
  }
  const { projectDept } = depts
  let number = Object.keys(members).length
  const givenPerson = async (values: MemberValues, userName: string) => asPerson(await insertMember(db, ++number, values, userName))

  let machines = 0
  /** A wheel loader of 5 t on the shelf with valid documents, unless `values` say otherwise. */
  const givenMachine = async (
    companyId: number,
    values: { qty?: number; paperTo?: string; shelfStatus?: ShelfStatus; categoryId?: number; value?: number; priceFen?: number } = {},
  ) => {
    machines++
    const qty = values.qty ?? 1
    const { id } = await db
      .insertInto('equipment')
      .values({
        equipmentCode: `SB${machines}`,
        companyId,
        fatherCategoryId: 100,
        categoryId: values.categoryId ?? 106,
        name: `柳工 856H 装载机 ${machines}`,
        brand: '柳工',
        model: '856H',
        specs: JSON.stringify({ ratedLoad: values.value ?? 5 }),
        mainValue: values.value ?? 5,
        outFactoryDate: '2022-01-01',
        emissionStage: '3',
        provinceId: 510_000,
        cityId: 510_100,
        isLot: qty > 1,
        totalQty: qty,
        auditStatus: '2',
        shelfStatus: values.shelfStatus ?? '1',
        monthPriceFen: values.priceFen ?? 1_600_000,
        searchText: `柳工 856H 装载机 铲车 ${machines}`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('equipmentPrice')
      .values({ equipmentId: id, rentUnit: 'M', priceFen: values.priceFen ?? 1_600_000, withOperator: true, taxRate: 9 })
      .execute()
    await db
      .insertInto('equipmentDocument')
      .values(
        ['ownership', 'conformity', 'emission'].map((kind) => ({
          equipmentId: id,
          kind,
          validTo: kind === 'emission' ? (values.paperTo ?? null) : null,
        })),
      )
      .execute()
    return id
  }

  const today = dayOf(monday)
  const demandBody = (changes: Record<string, unknown> = {}) => ({
    title: '渝昌高铁5标 装载机两台',
    deptId: projectDept,
    provinceId: 510_000,
    cityId: 510_100,
    address: '工地驻地',
    contactName: '王样本',
    contactPhone: '14400000001',
    quoteDeadline: toMoment(new Date(monday.getTime() + 3 * 86_400_000)),
    minQuotes: 1,
    items: [demandItem()],
    ...changes,
  })
  const demandItem = (changes: Record<string, unknown> = {}) => ({
    fatherCategoryId: 100,
    categoryId: 106,
    specRequirements: [{ key: 'ratedLoad', rule: 'ge', value: '5' }],
    qty: 2,
    planStart: addDays(today, 20),
    planEnd: addDays(today, 110),
    rentUnit: 'M',
    ...changes,
  })
  /** `isTold`: whether the lessors with fitting machines hear of it. Contracts that are only a scene leave it out. */
  const givenDemand = async (
    changes: Record<string, unknown> = {},
    by: { call: Person['call'] } = cast.project,
    { isTold = true }: { isTold?: boolean } = {},
  ) => {
    const { data, msg } = await by.call(publishDemand, { body: demandBody(changes) })
    if (!data?.id) throw new Error(`not published: ${msg} ${JSON.stringify(data)}`)
    // The job does this a moment later.
    if (isTold) await notifyWithoutRest(services)
    else await db.deleteFrom('demandNotice').where('demandId', '=', data.id).execute()
    const items = await db.selectFrom('demandItem').where('demandId', '=', data.id).orderBy('lineNo').select(['id', 'qty']).execute()
    return { id: data.id, items }
  }
  const quoteBody = (demand: { id: number; items: { id: number }[] }, machineIds: number[], changes: Record<string, unknown> = {}) => ({
    demandId: demand.id,
    contactName: '陈调度',
    contactPhone: '14400000002',
    validUntil: addDays(today, 60),
    lines: [quoteLine(demand.items[0]?.id ?? 0, machineIds, changes)],
  })
  const quoteLine = (demandItemId: number, machineIds: number[], changes: Record<string, unknown> = {}) => ({
    demandItemId,
    machines: machineIds.map((equipmentId) => ({ equipmentId })),
    unitPrice: 16_000,
    rentUnit: 'M',
    includesOperator: true,
    includesFuel: false,
    taxRate: 9,
    invoiceKind: 'special',
    earliestEntry: addDays(today, 19),
    ...changes,
  })
  const givenQuote = async (
    by: Person,
    demand: { id: number; items: { id: number }[] },
    machineIds: number[],
    changes: Record<string, unknown> = {},
  ) => {
    const { data, msg } = await by.call(submitQuote, { body: quoteBody(demand, machineIds, changes) })
    if (!data?.id) throw new Error(`not quoted: ${msg} ${JSON.stringify(data)}`)
    return data
  }

  return {
    url,
    db,
    services,
    server,
    api,
    clock,
    letters,
    sms,
    cast,
    depts,
    caller,
    givenPerson,
    send,
    givenMachine,
    demandBody,
    demandItem,
    givenDemand,
    quoteBody,
    quoteLine,
    givenQuote,
    /** Moves the clock past every deadline. */
    passDeadline: () => clock.set(new Date(monday.getTime() + 4 * 86_400_000)),
    close: async () => {
      await hub.stop()
      await server.close()
      await codes.end()
      await db.destroy()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>
