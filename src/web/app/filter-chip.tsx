import { useSearchParams } from 'react-router'
import { useText } from './text.tsx'
import { Link } from '../ui/link.tsx'

/** Shows a filter of the address that has no field, and takes it back. */
export function FilterChip({ name, label }: { name: string; label: string }) {
  const text = useText()
  const [params] = useSearchParams()
  const next = new URLSearchParams(params)
  next.delete(name)
  next.delete('pageNum')
  return (
    <p>
      <Link className="button button-small" to={`?${next}`} aria-label={`${text.site.common.reset}: ${label}`}>
        {label} ×
      </Link>
    </p>
  )
}
