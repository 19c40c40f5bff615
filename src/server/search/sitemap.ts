import type { Services } from '../services.ts'

const pages = ['/', '/demand', '/equipment', '/supplier', '/notice', '/notice?tab=2', '/notice?tab=3', '/aboutus', '/contact']

/** Newest addresses of each kind; a sitemap may hold 50,000 in all. */
const most = 10_000

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** All pages that are public now, each with the day of its last change. */
export async function sitemap({ db, config, clock }: Services, here: string): Promise<string> {
  const origin = config.publicUrl ?? here
  const [demands, machines, lessors, articles] = await Promise.all([
    db
      .selectFrom('demand')
      .where('status', 'in', ['3', '4', '5', '6', '7', '9'])
      .where('demandType', '=', '1')
      .where('delFlag', '=', '0')
      .orderBy('publishTime', 'desc')
      .limit(most)
      .select(['id', 'updateTime as at'])
      .execute(),
    db
      .selectFrom('equipment')
      .where('auditStatus', '=', '2')
      .where('shelfStatus', '=', '1')
      .where('delFlag', '=', '0')
      .orderBy('id', 'desc')
      .limit(most)
      .select(['id', 'updateTime as at'])
      .execute(),
    db
      .selectFrom('company')
      .where('isLessor', '=', true)
      .where('lessorAudit', '=', '2')
      .where('status', '=', '0')
      .where('blacklistedAt', 'is', null)
      .where('delFlag', '=', '0')
      .orderBy('id', 'desc')
      .limit(most)
      .select(['id', 'updateTime as at'])
      .execute(),
    db
      .selectFrom('article')
      .where('status', '=', '1')
      .where('publishTime', '<=', clock.now().toISOString())
      .orderBy('publishTime', 'desc')
      .limit(most)
      .select(['id', 'publishTime as at'])
      .execute(),
  ])
  const of = (path: string, rows: readonly { id: number; at: string }[]) =>
    rows.map(({ id, at }) => [`${path}?id=${id}`, at.slice(0, 10)] as const)
  const entries: (readonly [path: string, day: string | null])[] = [
    ...pages.map((path) => [path, null] as const),
    ...of('/notice/detail', articles),
    ...of('/demand/detail', demands),
    ...of('/equipment/detail', machines),
    ...of('/supplier/detail', lessors),
  ]
  const urls = entries.map(([path, day]) => `<url><loc>${escape(origin + path)}</loc>${day ? `<lastmod>${day}</lastmod>` : ''}</url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}
