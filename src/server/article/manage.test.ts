import { afterAll, expect, test } from 'vitest'
import { getArticle, listArticles } from '#shared/article/contract.ts'
import * as manage from '#shared/article/manage.ts'
import { toMoment } from '#shared/calendar.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'
import { insertFile } from '../file/queries.ts'
import sharp from 'sharp'

const world = await openWorld()
const { cast, db, clock, services } = world
afterAll(() => world.close())

const input = { tab: '1' as const, title: '一条很长的行业信息', content: '<p>正文</p>' }
const add = (more: object = {}) => cast.operator.call(manage.addArticle, { body: { ...input, ...more } })
const sitemap = async () => (await world.server.inject({ url: '/sitemap.xml' })).body
const listed = async () => (await world.caller(null)(listArticles, { query: { tab: '1', pageSize: 50 } })).data.rows.map(({ id }) => id)

test('a scheduled article appears at its minute, in the list, by its address and in the sitemap, and not a second before', async () => {
  const { data } = await add()
  expect(await listed()).not.toContain(data.id)
  const minute = new Date(monday.getTime() + 3_600_000)
  await cast.operator.call(manage.publishArticle, {
    params: { id: data.id },
    body: { version: data.version, publishTime: toMoment(minute) },
  })
  const state = async () => (await cast.operator.call(manage.getManagedArticle, { params: { id: data.id } })).data.state
  const read = async () => (await world.caller(null)(getArticle, { params: { id: data.id } })).code
  const views = async () => (await cast.operator.call(manage.getManagedArticle, { params: { id: data.id } })).data.viewCount
  clock.set(new Date(minute.getTime() - 1000))
  expect([await state(), await read(), await listed(), (await sitemap()).includes(`id=${data.id}<`)]).toEqual(['scheduled', 404, [], false])
  expect(await views()).toBe(0)
  clock.set(minute)
  expect([await state(), await read(), await listed(), (await sitemap()).includes(`/notice/detail?id=${data.id}<`)]).toEqual([
    'published',
    200,
    [data.id],
    true,
  ])
  expect(await views()).toBe(1)
  clock.set(monday)
})

test('the sitemap has the day on which an article that is out was last changed', async () => {
  const { id, version } = (await add()).data
  await cast.operator.call(manage.publishArticle, { params: { id }, body: { version } })
  const day = async () => new RegExp(`id=${id}</loc><lastmod>([^<]*)<`).exec(await sitemap())?.[1]
  expect(await day()).toBe('2026-11-23')
  clock.set(new Date(monday.getTime() + 3 * 86_400_000))
  const edited = await cast.operator.call(manage.editArticle, { body: { ...input, title: '改过的行业信息', id, version: version + 1 } })
  expect([edited.code, await day()]).toEqual([200, '2026-11-26'])
  await cast.operator.call(manage.takeArticleOff, { params: { id } })
  clock.set(monday)
})

test('top, offline, published again, deleted only when it is off the site', async () => {
  const added = [(await add({ title: '置顶的另一条', top: true })).data, (await add({ title: '先发布的一条' })).data]
  for (const { id, version } of added) {
    clock.set(new Date(clock.now().getTime() + 1000))
    await cast.operator.call(manage.publishArticle, { params: { id }, body: { version } })
  }
  const [second, first] = added.map(({ id }) => id) as [number, number]
  expect((await listed()).slice(0, 2)).toEqual([second, first])
  expect((await cast.operator.call(manage.deleteArticle, { params: { id: second } })).code).toBe(409)
  expect((await cast.operator.call(manage.takeArticleOff, { params: { id: second } })).code).toBe(200)
  expect((await cast.operator.call(manage.takeArticleOff, { params: { id: second } })).code).toBe(409)
  expect(await listed()).not.toContain(second)
  expect((await cast.operator.call(manage.deleteArticle, { params: { id: second } })).code).toBe(200)
  expect((await cast.operator.call(manage.getManagedArticle, { params: { id: second } })).code).toBe(404)
})

test('a minute that is over is no minute to publish at: the article stays a draft', async () => {
  const { id, version } = (await add()).data
  const publish = (at: Date) => cast.operator.call(manage.publishArticle, { params: { id }, body: { version, publishTime: toMoment(at) } })
  for (const at of [clock.now(), new Date(clock.now().getTime() - 365 * 86_400_000)]) {
    const refused = await publish(at)
    expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['publishTime']])
  }
  expect((await cast.operator.call(manage.getManagedArticle, { params: { id } })).data.state).toBe('draft')
})

test('two editors: the second is told, and nothing of the first is lost', async () => {
  const { id, version } = (await add()).data
  const edit = (title: string) => cast.operator.call(manage.editArticle, { body: { ...input, title, id, version } })
  expect((await edit('第一个人的标题')).code).toBe(200)
  expect((await edit('第二个人的标题')).code).toBe(409)
  expect((await cast.operator.call(manage.getManagedArticle, { params: { id } })).data.title).toBe('第一个人的标题')
})

test('an old list publishes neither what somebody has scheduled since nor what is out already', async () => {
  const { id, version } = (await add()).data
  const publish = (body: object) => cast.operator.call(manage.publishArticle, { params: { id }, body })
  const read = async () => (await cast.operator.call(manage.getManagedArticle, { params: { id } })).data
  expect((await publish({ version, publishTime: toMoment(new Date(monday.getTime() + 3_600_000)) })).code).toBe(200)
  const scheduled = await read()
  expect([scheduled.state, (await publish({ version })).code, await read()]).toEqual(['scheduled', 409, scheduled])
  expect((await publish({ version: scheduled.version })).code).toBe(200)
  const out = await read()
  clock.set(new Date(monday.getTime() + 86_400_000))
  expect([(await publish({ version: scheduled.version })).code, await read()]).toEqual([409, out])
  clock.set(monday)
})

test('what the allow list does not know never gets in; pictures of our own stay and are as public as the article', async () => {
  const operator = { accountId: cast.operator.id, companyId: null, deptId: null }
  const content = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#888' } })
    .png()
    .toBuffer()
  const own = await insertFile({ db, storage: services.storage, actor: operator, now: monday }, { name: 'a.png', content })
  const foreign = await insertFile(
    { db, storage: services.storage, actor: { accountId: cast.project.id, companyId: null, deptId: null }, now: monday },
    { name: 'b.png', content },
  )
  expect((await world.caller(null)(downloadFile, { params: { id: own.fileId } })).code).toBe(404)
  const html = `<p onclick="x()">好<script>alert(1)</script></p><iframe src="https://a.cn"></iframe><a href="javascript:x()">链</a>
    <img src="${own.url}" alt="图"><img src="${foreign.url}"><img src="http://a.cn/x.png"><img src="/admin/x">`
  const { data } = await add({ content: html })
  const saved = (await cast.operator.call(manage.getManagedArticle, { params: { id: data.id } })).data.content
  expect(saved).not.toMatch(/script|onclick|iframe|javascript|http:\/\/a\.cn|\/admin\/x/)
  expect(saved).toContain(own.url)
  const visitorSees = async () => (await world.caller(null)(downloadFile, { params: { id: own.fileId } })).raw.code === undefined
  const editorSees = async () => (await cast.operator.call(downloadFile, { params: { id: own.fileId } })).raw.code === undefined
  expect([await visitorSees(), await editorSees()]).toEqual([false, true])
  await cast.operator.call(manage.publishArticle, { params: { id: data.id }, body: { version: data.version } })
  expect(await visitorSees()).toBe(true)
  await cast.operator.call(manage.takeArticleOff, { params: { id: data.id } })
  expect([await visitorSees(), await editorSees()]).toEqual([false, true])
  // Naming somebody's private file does not open it.
  expect((await world.caller(null)(downloadFile, { params: { id: foreign.fileId } })).code).toBe(404)
  const preview = await cast.operator.call(manage.previewArticle, { body: { content: html } })
  expect(preview.data.content).toBe(saved)
})

test.each([
  ['title', { title: '短' }],
  ['content', { content: '' }],
  ['tab', { tab: '9' }],
  ['summary', { summary: '长'.repeat(201) }],
])('bad input: %s', async (field, change) => {
  const { code, data } = await add(change)
  expect(code).toBe(422)
  expect(data).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ field })]) as unknown })
})
