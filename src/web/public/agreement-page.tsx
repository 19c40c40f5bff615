import { data, useParams, type LoaderFunctionArgs } from 'react-router'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head } from '../ui/parts.tsx'

export function loader({ params }: LoaderFunctionArgs): null {
  if (params.name !== 'terms' && params.name !== 'privacy') throw data(null, { status: 404 })
  return null
}

export default function AgreementPage() {
  const { agreement } = useText().site
  const site = useSiteName()
  const privacy = useParams().name === 'privacy'
  const title = privacy ? agreement.privacy : agreement.terms
  return (
    <article className="panel article">
      <Head title={title} site={site} />
      <h1 style={{ marginBottom: 16 }}>{title}</h1>
      {(privacy ? agreement.privacyText : agreement.termsText).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </article>
  )
}
