import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { paths } from '#shared/paths.ts'
import { helpNames } from '#shared/text/reading.ts'
import { useSiteName } from '../app/site.ts'
import { storedLocale, useText, type Locale } from '../app/text.tsx'
import { visitKey } from '../app/visit.ts'
import { Link } from '../ui/link.tsx'
import { Head } from '../ui/parts.tsx'
import { ReadingStyle, useWordsIn } from './reading.tsx'

async function load(locale: Locale) {
  const { help } = locale === 'en-US' ? await import('#shared/text/en/reading/help.ts') : await import('#shared/text/zh-cn/reading/help.ts')
  return { pages: helpNames.map((name) => ({ name, title: help[name].title, summary: help[name].summary })), locale }
}

export const loader = ({ context }: LoaderFunctionArgs) => load(context.get(visitKey).locale)
export const clientLoader = () => load(storedLocale())

/** The pages of the help, with a way to people for whatever they do not answer. */
export default function HelpListPage() {
  const { pages, locale } = useLoaderData<typeof loader>()
  const { help, agreement } = useText().site
  const site = useSiteName()
  useWordsIn(locale)
  return (
    <div className="wrap page">
      <ReadingStyle />
      <Head title={help.title} description={help.lead} site={site} />
      <header className="page-head">
        <h1>{help.title}</h1>
        <p>{help.lead}</p>
      </header>
      <ul className="help-links">
        {pages.map(({ name, title, summary }) => (
          <li key={name} className="panel">
            <h2 className="card-title">
              <Link to={paths.help(name)}>{title}</Link>
            </h2>
            <p className="small soft">{summary}</p>
          </li>
        ))}
        <li className="panel">
          <h2 className="card-title">
            <Link to={paths.rules}>{agreement.rules}</Link>
          </h2>
          <p className="small soft">{help.rules}</p>
        </li>
        <li className="panel">
          <h2 className="card-title">
            <Link to={paths.contact}>{help.ask}</Link>
          </h2>
          <p className="small soft">{help.askHint}</p>
        </li>
      </ul>
    </div>
  )
}
