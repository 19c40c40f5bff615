import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { Block, Reading } from '#shared/text/reading.ts'
import { useSite, useSiteName } from '../app/site.ts'
import { useLanguage, type Locale } from '../app/text.tsx'
import css from './reading.css?inline'

/** Loads the words of a page again when the language changes, because they came with the page and not with the catalogue. */
export function useWordsIn(locale: Locale): void {
  const { locale: chosen } = useLanguage()
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (chosen !== locale) void revalidate()
  }, [chosen, locale, revalidate])
}

/** Puts the configured names into a text. */
export function useFilled(): (text: string) => string {
  const site = useSiteName()
  const { company } = useSite()
  return (text) => text.replaceAll('{site}', site).replaceAll('{company}', company || site)
}

/** The style of the reading pages, which no other page needs. */
export const ReadingStyle = () => (
  <style href="reading" precedence="page">
    {css}
  </style>
)

/** The chapters of a text under a list of their titles. */
export function Chapters({ reading, label, since }: { reading: Reading; label: string; since?: string | undefined }) {
  const fill = useFilled()
  return (
    <div className="reading">
      <ReadingStyle />
      <nav aria-label={label}>
        <ol>
          {reading.chapters.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <article className="panel">
        <h1>{reading.title}</h1>
        <p className="soft">{reading.summary}</p>
        {since && <p className="small faint">{since}</p>}
        {reading.chapters.map(({ id, title, blocks }) => (
          <section key={id} id={id}>
            <h2>{title}</h2>
            {blocks.map((block, index) => (
              <Words key={index} block={block} fill={fill} />
            ))}
          </section>
        ))}
      </article>
    </div>
  )
}

function Words({ block, fill }: { block: Block; fill: (text: string) => string }) {
  if (typeof block === 'string') return <p>{fill(block)}</p>
  return (
    <ul>
      {block.map((point) => (
        <li key={point}>{fill(point)}</li>
      ))}
    </ul>
  )
}
