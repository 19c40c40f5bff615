import { useSearchParams } from 'react-router'
import { withParam } from './list-settings.ts'
import { useText } from './text.tsx'
import { Link } from '../ui/link.tsx'

/** Shows a filter of the address that has no field, and takes it back. */
export function FilterChip({ name, label }: { name: string; label: string }) {
  const text = useText()
  const [params] = useSearchParams()
  return (
    <p>
      <Link className="button button-small" to={withParam(params, name, '')} aria-label={`${text.site.common.reset}: ${label}`}>
        {label} ×
      </Link>
    </p>
  )
}
