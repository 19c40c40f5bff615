import { useSearchParams } from 'react-router'
import type { TaskKind } from '#shared/statistics/panel.ts'
import { useText } from './text.tsx'
import { Link } from '../ui/link.tsx'

/** Says that a list holds only what waits for the person, and takes that back. Shows nothing where the address does not ask for it. */
export function TodoChip({ kind }: { kind: TaskKind | undefined }) {
  const text = useText()
  const [params] = useSearchParams()
  if (!kind || !params.get('todo')) return null
  const next = new URLSearchParams(params)
  next.delete('todo')
  next.delete('pageNum')
  const name = text.statistics.panel.kinds[kind][2]
  return (
    <p>
      <Link className="button button-small" to={`?${next}`} aria-label={`${text.site.common.reset}: ${name}`}>
        {name} ×
      </Link>
    </p>
  )
}
