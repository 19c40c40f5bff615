import { useSearchParams } from 'react-router'
import type { TaskKind } from '#shared/statistics/panel.ts'
import { FilterChip } from './filter-chip.tsx'
import { useText } from './text.tsx'

/** Says that a list holds only what waits for the person, and takes that back. Shows nothing where the address does not ask for it. */
export function TodoChip({ kind }: { kind: TaskKind | undefined }) {
  const text = useText()
  const [params] = useSearchParams()
  if (!kind || !params.get('todo')) return null
  return <FilterChip name="todo" label={text.statistics.panel.kinds[kind][2]} />
}
