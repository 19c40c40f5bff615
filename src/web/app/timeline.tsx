import type { ReactNode } from 'react'
import { minute } from './format.ts'

type Step = {
  key: string | number
  title: string
  /** The moment, as the wire writes it. */
  at: string
  note?: string | null
  /** More than a note. */
  details?: ReactNode
}

/** What happened to an object and when. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="timeline">
      {steps.map(({ key, title, at, note, details }) => (
        <li key={key}>
          <strong>{title}</strong> <span className="small faint num">{minute(at)}</span>
          {note && <p className="small soft">{note}</p>}
          {details}
        </li>
      ))}
    </ol>
  )
}
