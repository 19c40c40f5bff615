import { sql } from 'kysely'
import { articleStatus, articleTab } from '#shared/article/rules.ts'
import { minuteMs } from '#shared/calendar.ts'
import { demandType, publicStatuses } from '#shared/demand/rules.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { delFlag } from '#shared/rules.ts'
import { helpNames } from '#shared/text/reading.ts'
import type { Read } from '../db/connect.ts'
import { publicLessors } from '../public-lessors.ts'
import type { Services } from '../services.ts'

const pages = [
  paths.home,
  paths.demands(),
  paths.equipment(),
  paths.lessors,
  paths.articleHome,
  paths.articleTab(articleTab.notices),
  paths.articleTab(articleTab.deals),
  paths.about,
  paths.contact,
  paths.helpHome,
  ...helpNames.map(paths.help),
  paths.terms,
  paths.privacy,
  paths.rules,
]

/** Newest addresses of each kind; a sitemap may hold 50,000 in all (sitemaps.org). */
const maxAddresses = 10_000

type Asked = Pick<Services, 'db' | 'config' | 'clock' | 'answerCache'>

/**
 * The sitemap as XML: all pages that are public, each with the day of its last change. `here` is the origin unless one is configured. It is made without
 * an origin, because whoever asks may name any, and held for five minutes.
 */
export async function sitemap(services: Asked, here: string): Promise<string> {
  const { xml } = await services.answerCache.figure('sitemap', async () => ({ xml: await sitemapOfPaths(services) }), { ms: 5 * minuteMs })
  const origin = services.config.publicUrl ?? here
  return xml.replaceAll('<loc>', () => `<loc>${escape(origin)}`)
}

async function sitemapOfPaths({ db, clock }: Asked): Promise<string> {
  const [demands, machines, lessors, articles] = await Promise.all([
    newestDemands(db),
    newestMachines(db),
    newestLessors(db),
    newestArticles(db, clock.now()),
  ])
  const of = (path: (id: number) => string, rows: readonly { id: number; at: string }[]) =>
    rows.map(({ id, at }) => [path(id), at.slice(0, 10)] as const)
  const entries: (readonly [path: string, day: string | null])[] = [
    ...pages.map((path) => [path, null] as const),
    ...of(paths.article, articles),
    ...of(paths.demand, demands),
    ...of(paths.machine, machines),
    ...of(paths.lessor, lessors),
  ]
  const urls = entries.map(([path, day]) => `<url><loc>${escape(path)}</loc>${day ? `<lastmod>${day}</lastmod>` : ''}</url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

const newestDemands = (db: Read) =>
  db
    .selectFrom('demand')
    .where('status', 'in', publicStatuses)
    .where('demandType', '=', demandType.public)
    .where('delFlag', '=', delFlag.present)
    .orderBy('publishTime', 'desc')
    .limit(maxAddresses)
    .select(['id', 'updateTime as at'])
    .execute()

const newestMachines = (db: Read) =>
  db
    .selectFrom('equipment')
    .where('auditStatus', '=', equipmentAudit.passed)
    .where('shelfStatus', '=', shelfStatus.on)
    .where('delFlag', '=', delFlag.present)
    .orderBy('id', 'desc')
    .limit(maxAddresses)
    .select(['id', 'updateTime as at'])
    .execute()

const newestLessors = (db: Read) => publicLessors(db).orderBy('id', 'desc').limit(maxAddresses).select(['id', 'updateTime as at']).execute()

const newestArticles = (db: Read, now: Date) =>
  db
    .selectFrom('article')
    .where('status', '=', articleStatus.published)
    .where('publishTime', '<=', now.toISOString())
    .orderBy('publishTime', 'desc')
    .limit(maxAddresses)
    .select(['id', sql<string>`greatest(publish_time, update_time)`.as('at')])
    .execute()

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
