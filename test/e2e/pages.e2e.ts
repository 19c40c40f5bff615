import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { expectAccessible } from './accessible.ts'
import { expectHighFields, expectNoOverflow, looksAtAll, picture, showIn } from './inspect.ts'
import { go, settled, startProduct, theBrowser } from './product.ts'
import { publicIds } from './public-ids.ts'

const product = await startProduct()
const browser = await theBrowser()
afterAll(() => product.close())

const [demandId, machineId, lessorId, articleId] = await publicIds(product)

const publicPages = [
  '/',
  '/aboutus',
  '/contact',
  '/help',
  '/help/certification-papers',
  '/agreement/privacy',
  '/demand/',
  '/equipment/',
  '/notice/',
  `/notice/detail?id=${articleId}`,
  '/supplier/',
  `/supplier/equdetail?id=${machineId}`,
  '/login',
  '/register',
  '/updatepassword',
]

/** A page of each kind: home, a list, a record, a form and a private list. LOOKS=all looks at every page as at these. */
const examples = new Set(['/', '/equipment/', `/demand/detail?id=${demandId}`, '/personal/feedback/add', '/workbench/requirement/list'])

/**
 * Checks a page in both languages at the extreme widths. Axe looks at its colours in Chinese on a wide screen and at its elements in English on a phone.
 * An example is checked at all widths, at its elements in Chinese and in dark, too.
 */
async function look(page: Page, path: string) {
  const isExample = looksAtAll || examples.has(path)
  const widths = isExample ? [375, 768, 1024, 1280, 1440] : [375, 1440]
  await go(page, path)
  await expectFits(page, path, widths)
  await expectAccessible(page, path, { colours: isExample ? 'too' : 'alone' })
  if (isExample) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, `${path} in dark`, { colours: 'alone' })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await picture(page, `site-zh-CN${path.replace(/\W+/g, '-')}.png`)
  await showIn(page, { width: 375, language: 'en-US' })
  await settled(page)
  await expectFits(page, `${path} in English`, widths)
  await expectAccessible(page, `${path} in English`, { colours: 'none' })
  await picture(page, `site-en-US${path.replace(/\W+/g, '-')}.png`)
  await showIn(page, { width: 1440, language: 'zh-CN' })
}

/** Ends at the width at which it began. */
async function expectFits(page: Page, what: string, widths: number[]) {
  const opened = page.viewportSize()!
  const others = widths.filter((width) => width !== opened.width)
  for (const width of [...others, opened.width]) {
    await page.setViewportSize({ ...opened, width })
    await expectNoOverflow(page, `${what} at ${width} px`)
    if ([375, 1440].includes(width)) await expectHighFields(page, `${what} at ${width} px`)
  }
}

describe('pages in both languages, from a phone to a wide screen, light and dark', () => {
  test('[S9.6] those of the public site are accessible, fit with fields of 48 px, and log no error', async () => {
    const visitor = await product.visit()
    for (const path of publicPages) await look(visitor.page, path)
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })
  test('the pages behind the sign-in too', async () => {
    const areas = [
      [
        'project',
        [
          `/demand/detail?id=${demandId}`,
          `/equipment/detail?id=${machineId}`,
          `/supplier/detail?id=${lessorId}`,
          '/personal',
          '/personal/aboutme',
          '/personal/aboutme/subscriptions',
          '/personal/myinfo',
          '/personal/favourites',
          '/personal/feedback',
          '/personal/feedback/add',
          '/personal/myapprove',
          '/personal/myapprove/dept',
          '/personal/safety',
          '/personal/safety/updatepassword',
          '/personal/safety/updatephone',
          '/personal/safety/cancel',
          `/equipment/compare?ids=${machineId},${Number(machineId) - 1},${Number(machineId) - 2}`,
          '/workbench/requirement/list',
          '/workbench/requirement/drafts',
        ],
      ],
      ['lessor', ['/workbench/cequipment', '/workbench/crequirement', '/personal/myapprove/rentout']],
      ['lessee', ['/workbench/organization/review', '/personal/myapprove/lease']],
    ] as const
    const lookAt = async ([user, pages]: (typeof areas)[number]) => {
      const visitor = await product.visit({ user })
      for (const path of pages) await look(visitor.page, path)
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
    // Two visitors at a time, the longest list beside the others.
    const [longest, ...others] = areas
    await Promise.all([
      lookAt(longest),
      (async () => {
        for (const area of others) await lookAt(area)
      })(),
    ])
  })
})

/** The lines on which the text of each element stands. */
const lines = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((found) =>
    found.map((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    }),
  )

test('on a phone a credit code stays on one line, and a link of a contract that gets the focus is not under the choice of tabs', async () => {
  const [contract] = await product.sql(
    `select max(c.id) as id from contract c join dept d on d.id = c.dept_id join account a on a.company_id = d.company_id where a.user_name = 'lessee'`,
  )
  const { page, close } = await product.visit({ width: 375, user: 'lessee' })
  await go(page, '/personal/myapprove/lease')
  await page.getByText(/^[0-9A-Z]{18}$/).waitFor()
  expect(new Set(await lines(page, '.facts dd.num'))).toEqual(new Set([1]))
  await go(page, paths.contract(Number(contract?.id)))
  await page.locator('main a, main button').last().focus()
  for (let at = 0; at < 40; at++) {
    await page.keyboard.press('Shift+Tab')
    const depth = await page.evaluate(() => {
      const choice = document.querySelector('.contract-tab-select')
      const focused = document.activeElement
      // The bar of actions is at the other end of the window.
      const isBelow =
        choice?.compareDocumentPosition(focused ?? choice) === Node.DOCUMENT_POSITION_FOLLOWING && !focused?.closest('.action-bar')
      return isBelow && focused ? focused.getBoundingClientRect().top - choice.getBoundingClientRect().bottom : 0
    })
    expect(depth).toBeGreaterThanOrEqual(0)
  }
  await close()
})

test('in both languages the list of own machines fits its page at 1440 px; where it does not, it scrolls in its panel and not with the page', async () => {
  const { page, close } = await product.visit({ width: 1440, user: 'lessor' })
  await go(page, '/workbench/cequipment')
  await page.locator('tbody tr').first().waitFor()
  const panel = page.locator('.work-scroll')
  const isTooWide = () => panel.evaluate((one) => (one.firstElementChild?.getBoundingClientRect().width ?? 0) >= one.clientWidth + 1)
  for (const language of ['en-US', 'zh-CN'] as const) {
    await showIn(page, { width: 1440, language })
    await settled(page)
    expect(await isTooWide(), language).toBe(false)
  }
  // A link that gets the focus is not under the headings, which stick to the window while nothing scrolls in the panel.
  await page.locator('tbody tr').last().locator('a').first().focus()
  for (let at = 0; at < 30; at++) {
    await page.keyboard.press('Shift+Tab')
    const depth = await page.evaluate(() => {
      const heading = document.querySelector('thead th')
      const focused = document.activeElement
      return heading && focused?.matches('tbody *') ? focused.getBoundingClientRect().top - heading.getBoundingClientRect().bottom : 0
    })
    expect(depth).toBeGreaterThanOrEqual(0)
  }
  await page.getByRole('button', { name: zhCn.list.columns }).click()
  const boxes = page.locator('.popup:popover-open [type=checkbox]')
  await boxes.first().waitFor()
  for (const box of await boxes.all()) await box.check()
  await page.keyboard.press('Escape')
  for (const language of ['zh-CN', 'en-US'] as const) {
    await showIn(page, { width: 1440, language })
    await settled(page)
    await expect.poll(isTooWide, { message: language }).toBe(true)
    for (const width of [1280, 1366, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoOverflow(page, `all columns in ${language} at ${width} px`)
      await expect.poll(() => panel.evaluate((one) => getComputedStyle(one).overflowX)).toBe((await isTooWide()) ? 'auto' : 'visible')
    }
  }
  await close()
})

test('on a phone a date stays on one line of a card; choices and a field with the focus are in sight above the bar of a form, also while it lists errors', async () => {
  const { page, close } = await product.visit({ width: 375, user: 'project' })
  await go(page, `/demand/detail?id=${demandId}`)
  const days = await lines(page, 'td .unbroken')
  expect(days.length).toBeGreaterThan(2)
  expect(new Set(days)).toEqual(new Set([1]))

  await go(page, paths.addDemand())
  const field = page.locator('.picker input').first()
  await field.evaluate((one) => {
    const bar = document.querySelector('.action-bar')?.getBoundingClientRect().top ?? 0
    scrollBy(0, one.getBoundingClientRect().bottom - bar + 14)
  })
  await field.focus()
  for (let at = 0; at < 12; at++) {
    await page.keyboard.press('ArrowDown')
    const isSeen = () =>
      page.evaluate(() => {
        const option = document.querySelector('.picker-at')
        const { left, top, height } = option?.getBoundingClientRect() ?? new DOMRect()
        return option !== null && document.elementFromPoint(left + 4, top + height / 2) === option
      })
    await expect.poll(isSeen).toBe(true)
  }
  await page.keyboard.type('zzzz')
  await page.locator('.picker-none:popover-open').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.picker-none').waitFor({ state: 'detached' })

  await page.locator('.action-bar button[type=submit]').click()
  await page.locator('.action-bar .bar-error').waitFor()
  for (const width of [375, 1440]) {
    await showIn(page, { width, language: 'zh-CN' })
    await page.locator('main h1').first().focus()
    const covered: string[] = []
    let fields = 0
    for (let at = 0; at < 70; at++) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(() => {
        const focused = document.activeElement
        const bar = document.querySelector('.action-bar')
        if (!focused || !bar || bar.contains(focused) || !focused.matches('main input, main select, main textarea')) return null
        return focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1 ? focused.outerHTML.slice(0, 120) : ''
      })
      if (name !== null) fields++
      if (name) covered.push(name)
    }
    expect(covered, `${width} px`).toEqual([])
    expect(fields, `${width} px`).toBeGreaterThan(15)
  }
  await close()
})

test('a picture that is turned can be scrolled to its edges, enlarged too, and a change of long numbers fits the phone of the operator', async () => {
  const { page, close } = await product.visit({ width: 1280, user: 'operator' })
  await go(page, `/admin/equipment/detail?id=${machineId}`)
  const viewer = page.locator('.viewer')
  const { review } = zhCn.certification
  /** The edges of the picture against those that can be scrolled to, in whole pixels; none is negative. */
  const hidden = () =>
    viewer.locator('.viewer-stage').evaluate((stage) => {
      const picture = stage.querySelector('img')?.getBoundingClientRect() ?? new DOMRect()
      const { left, top } = stage.getBoundingClientRect()
      const [x, y] = [picture.left - left - stage.clientLeft + stage.scrollLeft, picture.top - top - stage.clientTop + stage.scrollTop]
      return [x, y, stage.scrollWidth - x - picture.width, stage.scrollHeight - y - picture.height].filter((edge) => edge < -1)
    })
  await viewer.locator('.viewer-stage img').waitFor()
  const sides = () =>
    viewer.locator('.viewer-stage img').evaluate((one) => one.getBoundingClientRect().width / one.getBoundingClientRect().height)
  await expect.poll(sides).not.toBe(1)
  const upright = await sides()
  await viewer.getByRole('button', { name: review.rotate }).click()
  await expect.poll(sides).toBeCloseTo(1 / upright, 1)
  expect(await hidden()).toEqual([])
  await viewer.getByRole('button', { name: review.zoomIn }).click()
  expect(await hidden()).toEqual([])
  await viewer.getByRole('button', { name: review.rotate }).click()
  expect(await hidden()).toEqual([])

  const [machine] = await product.sql(
    `insert into equipment_change (equipment_id, account_id, before, after, submit_time)
     select max(e.id), max(a.id), '{"factoryNo": "LZYTBXTW5K1041234"}', '{"factoryNo": "LZYTBXTW5K1045678"}', now()
     from equipment e join account a on a.company_id = e.company_id where a.user_name = 'lessor' and e.audit_status = '2' returning equipment_id as id`,
  )
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(`/admin/equipment/detail?id=${machine?.id}`)
  await page.getByText('LZYTBXTW5K1045678').waitFor()
  await expectNoOverflow(page, 'a change at 375 px')
  await product.sql('delete from equipment_change where equipment_id = $1', [machine?.id])
  await close()
})

describe('a first visit', () => {
  const first = async () => {
    const context = await browser.newContext({ baseURL: product.origin, locale: 'zh-CN', viewport: { width: 375, height: 800 } })
    const page = await context.newPage()
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    return { page, scripts, close: () => context.close() }
  }

  /** What begins once a page is painted has begun. */
  const painted = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<void>((done) => {
          new PerformanceObserver((seen) => {
            if (seen.getEntriesByName('first-contentful-paint').length > 0) setTimeout(() => setTimeout(done))
          }).observe({ type: 'paint', buffered: true })
        }),
    )
  /** A pointer that appears has not moved yet: the first of these events tells of no movement. */
  const moveHand = (page: Page) => page.mouse.move(100, 300, { steps: 3 })

  test('loads no script until the first interaction, and a button pressed before works once they have loaded', async () => {
    const { page, scripts, close } = await first()
    await page.goto('/equipment')
    await painted(page)
    expect(await page.locator('link[rel=modulepreload]').count()).toBe(0)
    expect(scripts).toEqual([])
    await page.evaluate(() => document.querySelector<HTMLElement>('.language-narrow, .language-wide')?.click())
    await moveHand(page)
    await page.locator('html[lang="en-US"]').waitFor()
    expect(scripts.length).toBeGreaterThan(0)
    await close()
  })

  test('links and searches work without scripts', async () => {
    const context = await browser.newContext({ baseURL: product.origin, locale: 'zh-CN', viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/')
    await page.locator('.site-nav a[href="/equipment"]').click()
    await page.waitForURL('**/equipment')
    await page.locator('form[role=search] input[name=name]').fill('挖掘')
    await page.locator('form[role=search] button[type=submit]').click()
    await page.waitForURL(/equipment\?.*name=/)
    expect(await page.locator('.card-title').count()).toBeGreaterThan(0)
    await context.close()
  })

  test('a page for signed-in people leads visitors to the sign-in at once', async () => {
    const { page, close } = await first()
    await page.goto(`/equipment/detail?id=${machineId}`)
    await page.waitForURL(/login/)
    await close()
  })
})

test('a title with markup is shown as plain text', async () => {
  const title = '/* look */</style><style id="page-style">/* look */<script>stop()</script>'
  const [article] = await product.sql(
    `insert into article (tab, title, content, status, publish_time) values ('1', $1, '<p>正文</p>', '1', now() - interval '1 minute') returning id`,
    [title],
  )
  const visitor = await product.visit({ width: 1440 })
  const { page } = visitor
  for (const path of ['/notice/', `/notice/detail?id=${article?.id}`]) {
    await page.goto(path)
    await settled(page)
    await page.getByText(title).first().waitFor()
    expect(await page.locator('style#page-style').count()).toBe(1)
    expect(await page.locator('style#page-style').textContent()).toContain('--')
  }
  expect(visitor.problems).toEqual([])
  await product.sql('delete from article where id = $1', [article?.id])
  await visitor.close()
})

test('the photos of own machines are shown in their list, before the review as well', async () => {
  const [machine] = await product.sql(`select a.user_name from equipment e join account a on a.company_id = e.company_id
    join equipment_image i on i.equipment_id = e.id where e.audit_status = '1' order by e.id desc limit 1`)
  const { page, problems, close } = await product.visit({ user: String(machine?.user_name) })
  await page.goto('/workbench/cequipment?auditStatus=1')
  await page.waitForFunction(() => {
    const photos = [...document.querySelectorAll<HTMLImageElement>('.work-machine img')]
    return photos.length > 0 && photos.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
  })
  expect(problems).toEqual([])
  await close()
})
