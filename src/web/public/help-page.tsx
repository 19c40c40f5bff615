import { data, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { helpNames } from '#shared/text/reading.ts'
import { colon } from '../app/colon.ts'
import { useOrigin, useSiteName } from '../app/site.ts'
import { storedLocale, useText, type Locale } from '../app/text.tsx'
import { visitKey } from '../app/visit.ts'
import { Link } from '../ui/link.tsx'
import { Head, Structured } from '../ui/parts.tsx'
import { Chapters, useWordsIn } from './reading.tsx'

async function load(name: string | undefined, locale: Locale) {
  if (!name || !isAmong(name, helpNames)) throw data(null, { status: 404 })
  const { help } = locale === 'en-US' ? await import('#shared/text/en/reading/help.ts') : await import('#shared/text/zh-cn/reading/help.ts')
  const next = helpNames[helpNames.indexOf(name) + 1]
  return { name, reading: help[name], next: next && { name: next, title: help[next].title }, locale }
}

export const loader = ({ params, context }: LoaderFunctionArgs) => load(params.name, context.get(visitKey).locale)
export const clientLoader = ({ params }: { params: { name?: string } }) => load(params.name, storedLocale())

/** One page of the help. */
export default function HelpPage() {
  const { name, reading, next, locale } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const origin = useOrigin()
  useWordsIn(locale)
  return (
    <div className="wrap page stack">
      <Head title={reading.title} description={reading.summary} site={site} />
      <Structured
        data={
          name === 'faq'
            ? {
                '@type': 'FAQPage',
                mainEntity: reading.chapters.map(({ title, blocks }) => ({
                  '@type': 'Question',
                  name: title,
                  acceptedAnswer: { '@type': 'Answer', text: blocks.flat().join(' ') },
                })),
              }
            : { '@type': 'Article', headline: reading.title, description: reading.summary, mainEntityOfPage: origin + paths.help(name) }
        }
      />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.helpHome}>{text.site.help.title}</Link>
      </nav>
      <Chapters reading={reading} label={text.site.agreement.contents} />
      {next && (
        <p className="right">
          <Link to={paths.help(next.name)}>
            {text.site.articles.next}
            {colon(text)}
            {next.title}
          </Link>
        </p>
      )}
    </div>
  )
}
