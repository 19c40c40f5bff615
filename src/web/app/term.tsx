import { useEffect, useState } from 'react'
import { paths } from '#shared/paths.ts'
import type { TermName, Terms } from '#shared/text/terms.ts'
import { useLanguage } from './text.tsx'
import { Link } from '../ui/link.tsx'
import { Popup } from '../ui/popup.tsx'
import './term.css'

/** A label without its unit, which stands in brackets. */
const withoutUnit = (label: string) => label.replace(/\s*[(\uFF08].*$/, '')

/** A question mark beside a label that explains a word of the trade in it. The words of the glossary come when it is pressed. */
export function Term({ name, label }: { name: TermName; label: string }) {
  const { text } = useLanguage()
  return (
    <Popup label={text.demand.form.explain(withoutUnit(label))} className="term" button={<span aria-hidden="true">?</span>}>
      {(close) => <Meaning name={name} close={close} />}
    </Popup>
  )
}

function Meaning({ name, close }: { name: TermName; close: () => void }) {
  const { text, locale } = useLanguage()
  const [terms, setTerms] = useState<Terms | 'failed' | null>(null)
  useEffect(() => {
    const words = locale === 'en-US' ? import('#shared/text/en/terms.ts') : import('#shared/text/zh-cn/terms.ts')
    words.then(
      (loaded) => setTerms(loaded.terms),
      () => setTerms('failed'),
    )
  }, [locale])
  if (terms === null) return <p className="soft">{text.site.common.loading}</p>
  if (terms === 'failed') return <p className="soft">{text.site.common.failed}</p>
  const [term, meaning] = terms[name]
  return (
    <div className="stack gap-6">
      <p>
        <strong>{term}</strong>
      </p>
      <p className="small term-meaning">{meaning}</p>
      <Link className="small" to={paths.help('glossary')} target="_blank" onClick={close}>
        {text.demand.form.glossary}
      </Link>
    </div>
  )
}
