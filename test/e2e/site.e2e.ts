import { afterAll, describe, expect, test } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { settled, startProduct, theBrowser } from './product.ts'
import { publicIds } from './public-ids.ts'

const product = await startProduct()
afterAll(() => product.close())

const [demandId, machineId, lessorId, articleId] = await publicIds(product)

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
  [`/supplier/detail?id=${lessorId}`, /有限公司/],
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
  // More than the quality bar, because the style stays in the page (decision 58). The bound, in KB, may only fall.
  test('the HTML of home is no heavier than it was', async () => {
    expect(Buffer.byteLength((await html('/')).body) / 1024).toBeLessThan(80)
  })
  test('the demand library holds the titles of open demands', async () => {
    const { body } = await html('/demand/')
    const titles = await product.sql(`select title from demand where status = '3' and demand_type = '1' order by publish_time desc limit 5`)
    expect(titles).toHaveLength(5)
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
    for (const secret of [row?.address, row?.terms]) {
      expect(secret).toBeTruthy()
      expect(body).not.toContain(String(secret))
    }
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
      } else expect(canonical).toBe(product.origin + path.replace(/(.)\/(?=$|\?)/, '$1').replace('supplier/equdetail', 'equipment/detail'))
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
        `/supplier/detail?id=${lessorId}`,
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
    [`/supplier/detail?id=${lessorId}`, 'LocalBusiness'],
  ])('%s describes itself as %s', async (path, type) => {
    const { body } = await html(path)
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)?.[1] ?? ''
    expect(JSON.stringify(JSON.parse(data))).toContain(`"@type":"${type}"`)
  })

  test('with JavaScript off: home, libraries, information and its detail show their content, and the filters work', async () => {
    const context = await (await theBrowser()).newContext({ baseURL: product.origin, javaScriptEnabled: false })
    const page = await context.newPage()
    const [demand] = await product.sql(
      `select title from demand where status = '3' and demand_type = '1' order by publish_time desc limit 1`,
    )
    const [machine] = await product.sql(`select name from equipment where id = $1`, [machineId])
    const [article] = await product.sql(`select title from article where id = $1`, [articleId])
    const [notice] = await product.sql(
      `select title from article where tab = '2' and status = '1' and publish_time <= now() order by top desc, publish_time desc limit 1`,
    )
    for (const [path, words] of [
      ['/', demand?.title],
      ['/', notice?.title],
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

  test('a filter with a day that cannot be read is not sent: the page stays, and its field says so', async () => {
    const { page, close } = await product.visit()
    await page.goto('/equipment')
    await settled(page)
    await page.locator('.more-filters summary').click()
    const { free, from } = zhCn.equipment
    const day = page.getByLabel(`${free} ${from}`, { exact: true })
    const refused = () => day.evaluate((input: HTMLInputElement) => input.validationMessage)
    await day.fill('下周')
    await day.press('Enter')
    expect(await refused()).toBe(zhCn.site.dates.dayFormat)
    // A select filters at once, past the browser's own check.
    await page.locator('.filter select').first().selectOption({ index: 1 })
    expect(new URL(page.url()).search).toBe('')
    await day.fill('2027-3-1')
    expect(await refused()).toBe('')
    await day.press('Enter')
    await page.waitForURL(/freeFrom=2027-03-01/)
    await close()
  })
})
