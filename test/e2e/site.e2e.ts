import { afterAll, describe, expect, test } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openUserMenu, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

const [demandId, machineId, supplierId, articleId] = (
  await product.sql(`select (select max(id) from demand where status = '3') as a, (select max(id) from equipment where shelf_status = '1') as b,
    (select max(id) from company where lessor_audit = '2' and blacklisted_at is null) as c, (select max(id) from article where tab = '1' and status = '1') as d`)
).flatMap((row) => [row.a, row.b, row.c, row.d])

const publicPages: [path: string, title: RegExp][] = [
  ['/', /^筑机通 - 工程机械租赁询价比价平台$/],
  ['/aboutus', /^关于我们/],
  ['/contact', /^合作联系/],
  ['/help', /^帮助中心/],
  ['/help/landed-cost', /^到场总价怎么算/],
  ['/agreement/terms', /^用户协议/],
  ['/agreement/privacy', /^隐私政策/],
  ['/agreement/rules', /^平台规则/],
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
  ['/register', /^注册/],
  ['/updatepassword', /^重置密码/],
]
const html = async (path: string) => {
  const answer = await fetch(product.origin + path)
  return { status: answer.status, body: await answer.text() }
}

describe('[S2.2][S2.4] a visitor without scripts', () => {
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
  test.each(['/nope', '/demand/nope', '/help/nope', '/agreement/nope', '/demand/detail?id=999999', '/equipment/detail?id=abc'])(
    '%s is 404 with the 404 page',
    async (path) => {
      const { status, body } = await html(path)
      expect([status, body.includes(zhCn.site.notFound.title)]).toEqual([404, true])
      expect(body).toMatch(/<form [^>]*action="\/equipment"[^>]*>.*name="name".*href="\/help"/s)
    },
  )
  test('a page of the console that is not there is 404 before the person is known', async () => {
    expect((await html('/admin/nope')).status).toBe(404)
  })
  test('detail pages show visitors neither address nor terms', async () => {
    const [row] = await product.sql('select address, terms from demand where id = $1', [demandId])
    const { body } = await html(`/demand/detail?id=${demandId}`)
    for (const secret of [row?.address, row?.terms]) expect(body).not.toContain(String(secret))
  })
  test('pages forbid foreign scripts and frames', async () => {
    const answer = await fetch(product.origin)
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'self'(?: 'sha256-[^']+')+;.*frame-ancestors 'none'/)
    expect(answer.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/)
  })
})

describe('[S2.2] a search engine and a person without scripts', () => {
  test('every public page has a title and a description of its own, and its canonical address', async () => {
    const seen = { title: new Set<string>(), description: new Set<string>() }
    for (const [path] of publicPages) {
      const { body } = await html(path)
      const head = {
        title: /<title>([^<]*)<\/title>/.exec(body)?.[1] ?? '',
        description: /<meta name="description" content="([^"]*)"/.exec(body)?.[1] ?? '',
      }
      for (const part of ['title', 'description'] as const) {
        expect(head[part].length, `${path} ${part}`).toBeGreaterThan(1)
        // The address of the same machine under its lessor leads to the same page.
        if (!path.includes('equdetail')) expect(seen[part].has(head[part]), `${path} ${part}: ${head[part]}`).toBe(false)
        seen[part].add(head[part])
      }
      const canonical = /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1]
      if (['/login', '/register', '/updatepassword'].includes(path)) {
        expect(canonical).toBeUndefined()
        expect(body).toContain('<meta name="robots" content="noindex"')
      } else expect(canonical).toBe(product.origin + path.replace(/(.)\/(?=$|\?)/, '$1'))
    }
    const { body } = await html('/equipment?name=%E6%8C%96&sort=priceUp&pageNum=2')
    expect(body).toContain(`<link rel="canonical" href="${product.origin}/equipment?pageNum=2"`)
  })

  test('an address that is shared brings a title, a picture of its own and an icon', async () => {
    for (const [path, picture, type] of [
      ['/', '/share/site.png', 'website'],
      [`/demand/detail?id=${demandId}`, `/share/demand/${demandId}.png`, 'website'],
      [`/equipment/detail?id=${machineId}`, undefined, 'product'],
      [`/notice/detail?id=${articleId}`, '/share/site.png', 'article'],
    ] as const) {
      const { body } = await html(path)
      const image = /property="og:image" content="([^"]+)"/.exec(body)?.[1] ?? ''
      if (picture) expect(image, path).toBe(product.origin + picture)
      expect(body, path).toContain(`property="og:type" content="${type}"`)
      expect(body, path).toContain('name="twitter:card" content="summary_large_image"')
      expect((await fetch(image)).headers.get('content-type'), image).toMatch(/^image\//)
    }
    for (const [path, kind] of [
      [`/share/machine/${machineId}.png`, 'image/png'],
      ['/favicon.ico', 'image/x-icon'],
      ['/apple-touch-icon.png', 'image/png'],
      ['/icon-192.png', 'image/png'],
      ['/manifest.webmanifest', 'application/manifest+json'],
    ] as const) {
      const answer = await fetch(product.origin + path)
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]], path).toEqual([200, kind])
    }
    for (const path of ['/share/machine/999999999.png', '/share/machine/1.svg', '/share/other.png'])
      expect((await fetch(product.origin + path)).status, path).toBe(404)
  })

  test('the sitemap lists libraries, articles and all that is public now; robots.txt names it', async () => {
    const { body } = await html('/sitemap.xml')
    const listed = [...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) =>
      address.replaceAll('&amp;', '&').replace(product.origin, ''),
    )
    expect(listed).toEqual(
      expect.arrayContaining([
        '/',
        '/demand',
        '/equipment',
        '/supplier',
        '/notice',
        '/aboutus',
        '/contact',
        '/help',
        '/help/landed-cost',
        '/agreement/privacy',
        `/notice/detail?id=${articleId}`,
        `/equipment/detail?id=${machineId}`,
        `/supplier/detail?id=${supplierId}`,
      ]),
    )
    const [counts] = await product.sql(`select (select count(*) from equipment where shelf_status = '1' and del_flag = '0') as machines,
      (select count(*) from demand where status in ('3', '4', '5', '6', '7', '9') and demand_type = '1') as demands`)
    expect(listed.filter((path) => path.startsWith('/equipment/detail')).length).toBe(Number(counts?.machines))
    expect(listed.filter((path) => path.startsWith('/demand/detail')).length).toBe(Number(counts?.demands))
    for (const path of listed.filter((_, index) => index % 40 === 0)) expect((await html(path)).status, path).toBe(200)
    const robots = (await html('/robots.txt')).body
    expect(robots).toContain(`Sitemap: ${product.origin}/sitemap.xml`)
    expect(robots).toContain('Disallow: /personal')
  })

  test.each([
    ['/', 'WebSite'],
    [`/equipment/detail?id=${machineId}`, 'Product'],
    [`/notice/detail?id=${articleId}`, 'NewsArticle'],
    [`/supplier/detail?id=${supplierId}`, 'LocalBusiness'],
  ])('%s describes itself as %s', async (path, type) => {
    const { body } = await html(path)
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)?.[1] ?? ''
    expect(JSON.stringify(JSON.parse(data))).toContain(`"@type":"${type}"`)
  })

  test('with JavaScript off: home, libraries, information and its detail show their content, and the filters work', async () => {
    const context = await product.browser.newContext({ baseURL: product.origin, javaScriptEnabled: false })
    const page = await context.newPage()
    const [demand] = await product.sql(
      `select title from demand where status = '3' and demand_type = '1' order by publish_time desc limit 1`,
    )
    const [machine] = await product.sql(`select name from equipment where id = $1`, [machineId])
    const [article] = await product.sql(`select title from article where id = $1`, [articleId])
    for (const [path, words] of [
      ['/', demand?.title],
      ['/demand', demand?.title],
      ['/equipment', machine?.name],
      [`/equipment/detail?id=${machineId}`, machine?.name],
      [`/notice/detail?id=${articleId}`, article?.title],
    ] as const) {
      await page.goto(path)
      await page.getByText(String(words)).first().waitFor()
    }
    await page.goto('/supplier')
    expect(await page.locator('.card-title').count()).toBe(12)
    await page.goto('/notice')
    await page.locator('.articles a').first().click()
    await page.locator('.article .rich p').first().waitFor()
    await page.goto('/')
    await page.getByRole('combobox').fill('挖掘机')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/equipment\?name=/)
    await page.locator('.filter-chip', { hasText: '挖掘机' }).first().waitFor()
    expect(await page.locator('.card-title').count()).toBeGreaterThan(0)
    await context.close()
  })
})

describe('navigation', () => {
  test('[S2.1] the home page fetches no code of the private areas', async () => {
    const visitor = await product.visit()
    const fetched: string[] = []
    visitor.page.on('request', (request) => fetched.push(request.url()))
    await visitor.page.goto('/')
    await settled(visitor.page)
    const sources = await Promise.all(fetched.filter((url) => url.endsWith('.js')).map((url) => fetch(url).then((answer) => answer.text())))
    expect(sources.length).toBeGreaterThan(3)
    for (const source of sources) expect(source).not.toMatch(/private-title|picker-list|action-bar/)
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

  test('[S2.3] six layouts: with and without the navigation, sign-in card, side menus, not found', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const parts = async (path: string) => {
      await page.goto(path)
      await settled(page)
      const has = async (selector: string) => (await page.locator(selector).count()) > 0
      return [await has('.site-nav'), await has('.site-footer'), await has('.login-card'), await has('.private aside nav')]
    }
    expect(await parts('/notice')).toEqual([true, true, false, false])
    for (const path of ['/login', '/register', '/updatepassword']) expect(await parts(path)).toEqual([false, false, true, false])
    expect(await parts('/agreement/terms')).toEqual([false, false, false, false])
    expect(await parts('/personal')).toEqual([true, false, false, true])
    expect(await page.locator('.private-title').textContent()).toBe(zhCn.account.personal.title)
    expect(await parts('/workbench/requirement/list')).toEqual([true, false, false, true])
    expect(await page.locator('.private-title').textContent()).toBe(zhCn.site.action.workbench)
    await page.goto('/nothing/here')
    await page.getByRole('heading', { name: zhCn.site.notFound.title }).waitFor()
    await visitor.close()
  })

  test('[S2.16][S2.14] the five tabs of the personal centre in their order; my info is a page and no tab', async () => {
    const visitor = await product.visit({ user: 'lessor' })
    const { page } = visitor
    await page.goto('/personal')
    await settled(page)
    const tabs = async () => (await page.locator('aside nav a').allTextContents()).map((words) => words.replace(/\d+$/, ''))
    expect((await tabs()).slice(0, 5)).toEqual(['工作面板', '账号安全', '消息管理', '系统反馈', '我的认证'])
    for (const [path, label] of [
      ['/personal', '工作面板'],
      ['/personal/safety/updatephone', '账号安全'],
      ['/personal/aboutme', '消息管理'],
      ['/personal/feedback/add', '系统反馈'],
      ['/personal/myapprove/rentout', '我的认证'],
    ] as const) {
      await page.goto(path)
      await page.locator('aside nav a[aria-current=page]', { hasText: label }).waitFor()
    }
    await page.goto('/personal/myinfo')
    await page.getByRole('heading', { name: zhCn.account.personal.info }).waitFor()
    expect(await page.locator('aside nav a[aria-current=page]').count()).toBe(0)
    await page.getByLabel(zhCn.account.personal.nickName).fill('老赵')
    await page.getByRole('button', { name: zhCn.site.common.save }).click()
    await (await openUserMenu(page)).locator('strong', { hasText: '老赵' }).waitFor()
    // The page is reached through the person's own menu.
    await page.goto('/')
    await settled(page)
    await (await openUserMenu(page)).getByRole('link', { name: zhCn.account.personal.info }).click()
    await page.waitForURL('**/personal/myinfo')
    await visitor.close()
  })

  test('[S2.10] the work panel lists what waits with one button each, leads to each kind, and shows the latest messages', async () => {
    const waits: [string, RegExp, RegExp][] = [
      ['project', /待定标的需求/, /\/workbench\/requirement\/list\?todo=judge/],
      ['lessor', /可报价的需求/, /\/workbench\/crequirement/],
      ['lessee', /待审核的认证/, /\/workbench\/organization\/review/],
      ['operator', /待回复的反馈/, /\/admin\/feedback/],
    ]
    for (const [user, task, address] of waits) {
      const visitor = await product.visit({ user, width: 375 })
      await visitor.page.goto('/personal')
      const link = visitor.page.getByRole('link', { name: task })
      await link.waitFor()
      expect(Number(await link.locator('strong').textContent())).toBeGreaterThan(0)
      // Each object has one button, whose name says what is done with which.
      expect(await visitor.page.locator('.todo').first().getByRole('link').count()).toBe(1)
      if (user !== 'operator' && user !== 'lessee') expect(await visitor.page.locator('.articles li').count()).toBe(5)
      await link.click()
      await visitor.page.waitForURL(address)
      await visitor.close()
    }
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

  test('[S2.6] at each anchor of the about page its heading stands below the header, on phones and on tall windows, in both languages', async () => {
    for (const [width, height, language] of [
      [375, 812, 'zh-CN'],
      [375, 812, 'en-US'],
      [1024, 1366, 'en-US'],
      [1440, 900, 'zh-CN'],
      [1920, 1600, 'zh-CN'],
    ] as const) {
      const visitor = await product.visit({ width, language })
      const { page } = visitor
      await page.setViewportSize({ width, height })
      await page.goto('/aboutus')
      await settled(page)
      for (const [part, top] of [
        ['.about-brand', 560],
        ['.about-business', 1060],
        ['.about-business + section', 1860],
      ] as const) {
        await page.evaluate((offset) => window.scrollTo(0, offset), top)
        const place = await page.evaluate((selector) => {
          const below = document.querySelector('.site-header')?.getBoundingClientRect().bottom ?? 0
          const heading = document.querySelector(`${selector} h2`)?.getBoundingClientRect().top ?? 0
          return { scrolled: window.scrollY, gap: heading - below }
        }, part)
        expect(place.scrolled, `${width} ${language} ${part}`).toBe(top)
        expect(place.gap, `${width} ${language} ${part}`).toBeGreaterThan(0)
        expect(place.gap, `${width} ${language} ${part}`).toBeLessThan(200)
      }
      await visitor.close()
    }
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
    await page.getByText(zhCn.site.error.unreachedHint).waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    await visitor.close()
  })

  test.each([
    '/personal',
    '/workbench',
    '/workbench/organization',
    '/workbench/nothing/here',
    '/demand/detail',
    '/equipment/detail/7',
    '/nothing/supplier/detail',
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
    // The parents lead a project department on, and the parent that is closed to it leads home.
    const goal = { '/workbench': '/workbench/requirement/list', '/workbench/organization': '/' }[path] ?? path
    await page.waitForURL((url) => url.pathname + url.search === goal)
    await visitor.close()
  })

  test.each([
    ['demand', '/demand?demandType=1&status=3&provinceId=510000&pageNum=1', '需求库'],
    ['lessor', '/supplier?enterpriseName=%E6%9C%BA%E6%A2%B0&pageNum=2', '出租方库'],
    ['equipment', '/equipment?fatherCategoryId=200&categoryId=201&beginPrice=5000&endPrice=9000', '设备库'],
    ['information', '/notice?tab=3', '信息中心'],
  ])('[S3.3] the filters of %s are as they were when one comes back', async (_, address, label) => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto(address)
    await settled(page)
    await page.locator('.site-nav').getByText('关于我们').click()
    await page.waitForURL('**/aboutus')
    await page.locator('.site-nav').getByText(label).click()
    await page.waitForURL((url) => url.pathname + url.search === address)
    await visitor.close()
  })

  test('[S3.3] filters are remembered on return; the address wins over them; signing out forgets them', async () => {
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
    await (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout }).click()
    await page.waitForURL(product.origin + '/')
    await page.locator('.site-nav').getByText('设备库').click()
    await page.getByRole('heading', { name: '设备库' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await visitor.close()
  })
})
