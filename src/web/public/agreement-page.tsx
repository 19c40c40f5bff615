import { data, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { agreementNames, agreementSince } from '#shared/text/reading.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { useSiteName } from '../app/site.ts'
import { storedLocale, useText, type Locale } from '../app/text.tsx'
import { visitKey } from '../app/visit.ts'
import { Head } from '../ui/parts.tsx'
import { Chapters, useWordsIn } from './reading.tsx'

async function load(name: string | undefined, locale: Locale) {
  if (!name || !isAmong(name, agreementNames)) throw data(null, { status: 404 })
  const { agreements } =
    locale === 'en-US' ? await import('#shared/text/en/reading/agreement.ts') : await import('#shared/text/zh-cn/reading/agreement.ts')
  return { reading: agreements[name], locale }
}

export const loader = ({ params, context }: LoaderFunctionArgs) => load(params.name, context.get(visitKey).locale)
export const clientLoader = ({ params }: { params: { name?: string } }) => load(params.name, storedLocale())

export default function AgreementPage() {
  const { reading, locale } = useLoaderData<typeof loader>()
  const { agreement } = useText().site
  const site = useSiteName()
  useWordsIn(locale)
  return (
    <>
      <Head title={reading.title} description={reading.summary} site={site} />
      <Chapters reading={reading} label={agreement.contents} since={agreement.since(agreementSince)} />
    </>
  )
}
