import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { expectAccessible, expectNoOverflow, settled, shots, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

const [demandId, machineId, supplierId, articleId] = (
  await product.sql(`select (select max(id) from demand where status = '3') as a, (select max(id) from equipment where shelf_status = '1') as b,
    (select max(id) from company where lessor_audit = '2' and blacklisted_at is null) as c, (select max(id) from article where tab = '1') as d`)
).flatMap((row) => [row.a, row.b, row.c, row.d])

const publicPages: [path: string, title: RegExp][] = [
  ['/', /^筑机通$/],
  ['/aboutus', /^关于我们/],
  ['/contact', /^合作联系/],
  ['/demand/', /^需求库/],
  [`/demand/detail?id=${demandId}`, /./],
  ['/equipment/', /^设备库/],
  [`/equipment/detail?id=${machineId}`, /./],
  ['/notice/', /^信息中心/],
  [`/notice/detail?id=${articleId}`, /./],
  ['/supplier/', /^出租方库/],
  [`/supplier/detail?id=${supplierId}`, /有限公司/],
  [`/supplier/equdetail?id=${machineId}`, /./],
  ['/login', /^登录/],
]
const html = async (path: string) => {
  const answer = await fetch(product.origin + path)
  return { status: answer.status, body: await answer.text() }
}

describe('[S2.2][S2.4] what a visitor without a script gets', () => {
  test.each(publicPages)('%s is a page of its own, with and without the trailing slash', async (path, title) => {
    const [bare = '', query = ''] = path.split('?')
    for (const address of [
      path,
      `${bare.replace(/\/$/, '')}/${query && `?${query}`}`,
      `${bare.replace(/(.)\/$/, '$1')}${query && `?${query}`}`,
    ]) {
      const { status, body } = await html(address)
      expect(status, address).toBe(200)
      expect(/<title>([^<]*)<\/title>/.exec(body)?.[1], address).toMatch(title)
    }
  })
  test('the demand library holds the titles of open demands', async () => {
    const { body } = await html('/demand/')
    const titles = await product.sql(`select title from demand where status = '3' and demand_type = '1' order by publish_time desc limit 5`)
    for (const { title } of titles) expect(body).toContain(String(title))
  })
  test.each(['/nope', '/demand/nope', '/admin/nope', '/demand/detail?id=999999', '/equipment/detail?id=abc'])(
    '%s is 404 with the 404 page',
    async (path) => {
      const { status, body } = await html(path)
      expect([status, body.includes(zhCn.site.notFound.title)]).toEqual([404, true])
    },
  )
  test('detail pages show visitors neither address nor terms', async () => {
    const [row] = await product.sql('select address, terms from demand where id = $1', [demandId])
    const { body } = await html(`/demand/detail?id=${demandId}`)
    for (const secret of [row?.address, row?.terms]) expect(body).not.toContain(String(secret))
  })
  test('pages forbid foreign scripts and frames', async () => {
    const answer = await fetch(product.origin)
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'self' 'nonce-[^']+';.*frame-ancestors 'none'/)
    expect(answer.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/)
  })
})

describe.each([
  ['zh-CN', 1440, false],
  ['en-US', 375, false],
  ['en-US', 1440, true],
  ['zh-CN', 375, true],
] as const)('public pages in %s at %i px, dark: %s', (language, width, dark) => {
  test('are accessible, fit, and log no error', async () => {
    const visitor = await product.visit({ width, language, dark })
    for (const [path] of publicPages.filter(([one]) => !/\/(demand|equipment|supplier)\/detail/.test(one))) {
      await visitor.page.goto(path)
      await settled(visitor.page)
      await expectNoOverflow(visitor.page, path)
      await expectAccessible(visitor.page, path)
      await visitor.page.screenshot({ path: join(shots, `site-${language}-${width}-${path.replace(/\W+/g, '-')}.png`), fullPage: true })
    }
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })
  test('the pages behind the sign-in too', async () => {
    for (const [user, pages] of [
      [
        'project',
        [
          `/demand/detail?id=${demandId}`,
          `/equipment/detail?id=${machineId}`,
          `/supplier/detail?id=${supplierId}`,
          '/personal',
          '/personal/aboutme',
          '/personal/myinfo',
          '/workbench/requirement/list',
          '/workbench/requirement/drafts',
        ],
      ],
      ['lessor', ['/workbench/cequipment', '/workbench/crequirement']],
    ] as const) {
      const visitor = await product.visit({ width, language, dark, user })
      for (const path of pages) {
        await visitor.page.goto(path)
        await settled(visitor.page)
        await expectNoOverflow(visitor.page, path)
        await expectAccessible(visitor.page, path)
      }
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
  })
})

describe('getting about', () => {
  test('[S2.1] the home page fetches no code of the private areas', async () => {
    const visitor = await product.visit()
    const fetched: string[] = []
    visitor.page.on('request', (request) => fetched.push(request.url()))
    await visitor.page.goto('/')
    await settled(visitor.page)
    const sources = await Promise.all(fetched.filter((url) => url.endsWith('.js')).map((url) => fetch(url).then((answer) => answer.text())))
    expect(sources.length).toBeGreaterThan(3)
    for (const source of sources) expect(source).not.toMatch(/private-title|ant-select|action-bar/)
    await visitor.close()
  })

  test('[S2.3][S2.5] seven tabs in their order; the active one follows the path, details included', async () => {
    const visitor = await product.visit()
    await visitor.page.goto('/')
    expect(await visitor.page.locator('.site-nav a').allTextContents()).toEqual([
      '首页',
      '需求库',
      '设备库',
      '出租方库',
      '信息中心',
      '关于我们',
      '合作联系',
    ])
    for (const [path, label] of [
      ['/', '首页'],
      [`/notice/detail?id=${articleId}`, '信息中心'],
      [`/supplier/equdetail?id=${machineId}`, '出租方库'],
      ['/equipment', '设备库'],
    ] as const) {
      await visitor.page.goto(path)
      expect(await visitor.page.locator('.site-nav a[aria-current=page]').allTextContents()).toEqual([label])
    }
    await visitor.close()
  })

  test('[S2.6] anchors of the about page scroll to their offsets; other navigations to the top, back to where one was', async () => {
    const visitor = await product.visit({ width: 375 })
    const { page } = visitor
    for (const [hash, top] of [
      ['#ppln', 560],
      ['#jyln', 1060],
      ['#hxtd', 1860],
    ] as const) {
      await page.goto(`/aboutus${hash}`)
      await page.waitForFunction((wanted) => Math.abs(window.scrollY - wanted) <= 1, top)
    }
    await page.goto('/notice')
    await settled(page)
    await page.evaluate(() => window.scrollTo(0, 300))
    await page.locator('.articles a').last().click()
    await page.waitForURL(/notice\/detail/)
    await page.waitForFunction(() => window.scrollY === 0)
    await page.goBack()
    await page.waitForFunction(() => window.scrollY > 200)
    await visitor.close()
  })

  test('[S2.7] a progress bar shows while a navigation is under way, and goes when it ends or fails', async () => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto('/')
    await settled(page)
    let release: () => void = () => undefined
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/firstPageList**', async (route) => {
      await held
      await route.continue()
    })
    await page.locator('.site-nav').getByText('设备库').click()
    await page.getByRole('progressbar').waitFor()
    release()
    await page.getByRole('heading', { name: '设备库' }).waitFor()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    await page.unroute('**/firstPageList**')
    await page.route('**/supplier/firstPageList**', (route) => route.abort())
    await page.locator('.site-nav').getByText('出租方库').click()
    await page.getByText(zhCn.site.common.failedHint).waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    await visitor.close()
  })

  test.each([
    '/personal',
    '/workbench/requirement/list',
    `/demand/detail?id=${demandId}`,
    `/equipment/detail?id=${machineId}`,
    `/supplier/detail?id=${supplierId}`,
  ])('[S2.8] %s leads to /login without a token, and back after it', async (path) => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto(path)
    await page.waitForURL(/\/login\?redirect=/)
    await page.getByRole('button', { name: zhCn.account.kinds.project }).click()
    await page.waitForURL(new RegExp(path.replace(/[?]/g, '\\?')))
    await visitor.close()
  })

  test('[S3.3] filters are remembered when one leaves and comes back, the address wins, signing out forgets', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    await page.goto('/equipment?name=%E6%8C%96&pageNum=2')
    await settled(page)
    await page.locator('.site-nav').getByText('需求库').click()
    await page.waitForURL(/\/demand/)
    await page.locator('.site-nav').getByText('设备库').click()
    await page.waitForURL(/\/equipment\?name=%E6%8C%96&pageNum=2/)
    await expect.poll(() => page.getByLabel(zhCn.equipment.name).inputValue()).toBe('挖')
    await page.goto('/equipment?name=%E5%A1%94')
    await settled(page)
    expect(await page.getByLabel(zhCn.equipment.name).inputValue()).toBe('塔')
    await page.goto('/personal')
    await settled(page)
    await page.locator('.private-me').getByText(zhCn.site.action.logout).click()
    await page.waitForURL(product.origin + '/')
    await page.locator('.site-nav').getByText('设备库').click()
    await page.getByRole('heading', { name: '设备库' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await visitor.close()
  })
})
