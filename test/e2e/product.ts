import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core'
import sharp from 'sharp'
import { inject } from 'vitest'
import { keyedHash } from '#server/actor/keyed-hash.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { copyDemo, demoSecret } from '#test/template-db.ts'
import { setTime } from './page-time.ts'
import { startServer } from './server-process.ts'
import { findChromium } from '../../scripts/chromium.mjs'

/** A picture to upload where any will do. */
export const photo = {
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 320, height: 200, channels: 3, background: '#88a' } })
    .png()
    .toBuffer(),
}

export type Language = 'zh-CN' | 'en-US'
export type Product = Awaited<ReturnType<typeof startProduct>>
/** Somebody with a page open, in the words of whose language it speaks first. */
export type Visitor = { page: Page; text: typeof zhCn; context: BrowserContext; problems: string[]; close(): Promise<void> }

/** The built product on its own copy of the demo market. */
export async function startProduct() {
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-e2e-'))
  const { url, drop } = await copyDemo(inject('template'), join(folder, 'files'))
  const server = await startServer(url, folder)
  const { origin } = server
  const sql = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query<Record<string, string | number>>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  return {
    origin,
    url,
    restart: server.restart,
    /** Writes to the database directly, for states that take days to reach. */
    sql,
    /** Gives the newest picture code of this type a text that the journey knows. Only the keyed hash of a text is stored. */
    imageCode: async (type: string) => {
      const answer = 'K7MX'
      const hash = keyedHash(demoSecret, 'picture code', answer).toString('hex')
      const [row] = await sql(
        `update image_code set answer_hash = decode($2, 'hex')
         where uuid = (select uuid from image_code where type = $1 order by expires_at desc limit 1) returning uuid`,
        [type, hash],
      )
      if (!row) throw new Error('no picture code was asked for')
      return answer
    },
    /** The texts of the SMS to a number in the operator's outbox, newest first. The number stands there as a keyed hash. */
    smsTo: async (phonenumber: string) => {
      const hash = keyedHash(demoSecret, 'phone', phonenumber).toString('hex')
      const rows = await sql(`select content from outbox where phone_hash = decode($1, 'hex') order by id desc`, [hash])
      return rows.map(({ content }) => String(content))
    },
    token: (userName: string) => tokenOf(origin, userName),
    visit: (options?: VisitOptions) => visit(origin, options),
    close: async () => {
      try {
        await closeVisitors()
      } finally {
        // The next product has the same port.
        await server.stop()
        await drop()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

type VisitOptions = {
  width?: number
  language?: Language
  /** Who is signed in. */
  user?: string
  /** Which moment the clock of the page begins at. */
  now?: Date
  /**
   * True where the journey depends on an empty cache, or does to its context what nothing takes back: a clock, no line (the pages of one process
   * hear of its return when the first of them has it).
   */
  isFresh?: boolean
}

async function tokenOf(
  origin: string,
  userName: string,
): Promise<{ access_token: string; expires_in: number; certSign: number; auditStatus: number }> {
  const answer = await fetch(`${origin}/prod-api/auth/webLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: userName, password: 'Zhuji@2026' }),
  })
  return ((await answer.json()) as { data: { access_token: string; expires_in: number; certSign: number; auditStatus: number } }).data
}

/** Features that Playwright turns off and journeys may depend on. Of several lists Chromium takes the last one, so ours repeats them. */
const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

let launched: Promise<Browser> | undefined

/** The Chromium of this process. It ends with it: starting one for each file takes a second of a processor, and empties its caches. */
export function theBrowser(): Promise<Browser> {
  launched ??= launch().catch((error: unknown) => {
    launched = undefined
    throw error
  })
  return launched
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? 'chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Nothing is drawn by a GPU, and no page needs another process ready: together a tenth of what the journeys take.
      '--in-process-gpu',
      // The pages of a context share one process: a new one takes a second and a half of a processor until it has compiled what the last one had.
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      `--disable-features=${['SpareRendererForSitePerProcess', ...disabledByPlaywright].join(',')}`,
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A page of a journey is gone before code that was compiled for speed would pay.
      '--js-flags=--max-lazy --no-opt --no-maglev',
    ],
    // Without a language of its own the machine's file names have no Chinese, and Chromium calls such a download "download".
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  // After a crash the next journey begins with another one.
  browser.on('disconnected', () => {
    launched = undefined
    freeContexts.clear()
    openVisitors.clear()
  })
  return browser
}

/** The catalogue of a language. Both have the same words. */
export const wordsIn = (language: Language): typeof zhCn => (language === 'zh-CN' ? zhCn : (en as typeof zhCn))

export const heightAt = (width: number) => (width < 500 ? 800 : 900)

/** A context that nobody visits with now, and a page that stays open in it, because its process ends with its last page. */
type FreeContext = { context: BrowserContext; keeper: Page }

const freeContexts = new Map<Language, FreeContext[]>()
const openVisitors = new Set<Visitor>()

async function newContext(origin: string, language: Language): Promise<BrowserContext> {
  const browser = await theBrowser()
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1440, height: heightAt(1440) },
    colorScheme: 'light',
    // No journey waits for a movement, and two cores need not draw it.
    reducedMotion: 'reduce',
    acceptDownloads: true,
    locale: language,
  })
  // What is waited for comes; how soon depends on what else the machine does.
  context.setDefaultTimeout(120_000)
  // Every page of this context, later ones too.
  context.on('page', watchRequests)
  await context.addInitScript(showToastsLonger)
  return context
}

/** Runs in the page. A toast that is gone after a second and a half [S9.2] may come and go before a busy machine looks once. */
function showToastsLonger(): void {
  const real = globalThis.setTimeout
  const patient = (run: TimerHandler, ms?: number, ...given: unknown[]) => real(run, ms === 1500 ? 8000 : ms, ...given)
  globalThis.setTimeout = patient as typeof setTimeout
}

/** Removes what a visitor left behind, all but what the browser caches. */
async function clear({ context, keeper }: FreeContext, origin: string): Promise<void> {
  await context.setOffline(false)
  await context.clearCookies()
  const session = await context.newCDPSession(keeper)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
}

/**
 * Opens a page, signed in when `user` is given, whose clock begins at `now` when that is given. It knows nothing of those before it, but for what
 * the browser has cached. Every console error and every uncaught error counts as a problem.
 */
export async function visit(origin: string, options: VisitOptions = {}): Promise<Visitor> {
  const { width = 1440, language = 'zh-CN', user, now, isFresh = false } = options
  const signedIn = user ? await tokenOf(origin, user) : null
  const reused = isFresh ? undefined : freeContexts.get(language)?.pop()
  const context = reused?.context ?? (await newContext(origin, language))
  await context.addCookies([{ name: 'locale', value: language, url: origin }])
  const page = await context.newPage()
  await page.setViewportSize({ width, height: heightAt(width) })
  if (now) await setTime([page], now)
  await page.addInitScript(
    ([locale, session]) => {
      if (localStorage.getItem('locale') === null) localStorage.setItem('locale', locale)
      if (session && sessionStorage.getItem('signed-in') === null) {
        sessionStorage.setItem('signed-in', '1')
        localStorage.setItem('access_token', session.access_token)
        localStorage.setItem('expires_time', String(Date.now() + session.expires_in * 60_000))
      }
    },
    [language, signedIn] as const,
  )
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
  const visitor = {
    page,
    text: wordsIn(language),
    context,
    problems,
    close: async () => {
      if (!openVisitors.delete(visitor)) return
      const pages = context.pages().filter((one) => one !== reused?.keeper)
      // A call that is still held has nobody to answer.
      await Promise.all(pages.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
      if (isFresh) return context.close()
      const freed = { context, keeper: reused?.keeper ?? (await context.newPage()) }
      await Promise.all(pages.map((one) => one.close()))
      await clear(freed, origin)
      freeContexts.set(language, [...(freeContexts.get(language) ?? []), freed])
    },
  }
  openVisitors.add(visitor)
  return visitor
}

/** The pages of those who have not left. */
export const openPages = (): Page[] => [...openVisitors].map(({ page }) => page)

/** Those who are still there leave, after the last journey of a file. */
export const closeVisitors = async (): Promise<void> => {
  await Promise.all([...openVisitors].map((one) => one.close()))
}

/** Opens the menu of the person in the header, and returns its panel. */
export async function openUserMenu(page: Page): Promise<Locator> {
  await page.locator('.site-tools button.avatar').click()
  const panel = page.locator('.user-menu')
  await panel.waitFor()
  return panel
}

/** Finds a control by its whole label, with or without the mark of a required field. */
export const field = (within: Page | Locator, label: string) =>
  within.getByLabel(new RegExp(`^${label.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\\s*\\*?$`))

export type Look = { width: number; language: Language }

/** A page of somebody whose session was made without the sign-in page, with the time of the server that made it. */
export async function visitWithToken(origin: string, { token, path, ...look }: Look & { token: string; path: string; now: Date }) {
  const visitor = await visit(origin, look)
  await visitor.page.addInitScript((own) => {
    localStorage.setItem('access_token', own)
    // As far ahead as that of the server: a test may move the clock by days.
    localStorage.setItem('expires_time', String(Date.now() + 30 * 86_400_000))
  }, token)
  await visitor.page.goto(path)
  await settled(visitor.page)
  return visitor
}

/** Follows a link to that page of the site without loading a new document, as one in a message. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((href) => {
    const link = document.createElement('a')
    link.href = href
    document.body.append(link)
    link.click()
    link.remove()
  }, path)

/**
 * Opens an address of the product. Where a page of it is open already, this does not load the document anew, as a link does not: that is less than
 * half of the work. `page.goto` is for what depends on the load.
 */
export async function go(page: Page, path: string): Promise<void> {
  const before = page.url()
  const isOpen = before.startsWith('http') && new URL(path, before).href !== before
  if (!isOpen) await page.goto(path)
  else {
    await follow(page, path)
    await page.waitForURL(({ href }) => href !== before)
  }
  await settled(page)
}

export const press = (within: Page | Locator, name: string): Promise<void> => within.getByRole('button', { name, exact: true }).click()
/** Presses a button of the bar of actions. */
export const act = (page: Page, name: string): Promise<void> => press(page.locator('.action-bar'), name)

const waiting = new WeakMap<Page, { open: number; since: number }>()

/** Counts the requests of a page that have no answer yet. */
function watchRequests(page: Page): void {
  const state = { open: 0, since: Date.now() }
  waiting.set(page, state)
  const change = (by: number) => () => {
    state.open = Math.max(0, state.open + by)
    state.since = Date.now()
  }
  page.on('request', change(1))
  page.on('requestfinished', change(-1))
  page.on('requestfailed', change(-1))
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    state.open = 0
    // A page inside the app asks for what it shows only once its address has changed.
    state.since = Date.now()
  })
}

/** Waits until the page is hydrated, no request is outstanding, what was asked for is drawn and no skeleton is shown. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.waitForFunction(() => Object.keys(document.body.firstElementChild ?? {}).some((key) => key.startsWith('__react')))
  const quietSince = () => {
    const { open, since } = waiting.get(page) ?? { open: 0, since: 0 }
    return open === 0 && Date.now() - since >= 120 ? since : undefined
  }
  const isDrawn = async () => {
    const since = quietSince()
    if (since === undefined) return false
    // The document may be replaced meanwhile, and then this looks again.
    await idle(page).catch(() => undefined)
    return quietSince() === since
  }
  for (const began = Date.now(); Date.now() - began < 60_000 && !(await isDrawn());) await pause(40)
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

/**
 * Waits until the page has nothing left to compute: on a busy machine the address changes long before the page of it is drawn. What moves without end
 * may leave no idle moment, so this gives up soon.
 */
const idle = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        const whenIdle = (run: () => void) => requestIdleCallback(run, { timeout: 2000 })
        whenIdle(() => whenIdle(done))
      }),
  )
