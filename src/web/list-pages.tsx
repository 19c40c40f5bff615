import { useSearchParams } from 'react-router'
import { useText } from './text.tsx'
import { Pagination } from './ui/parts.tsx'

/** The pages of a list whose filters are in the address. */
export function ListPages({ total, pageSize }: { total: number; pageSize: number }) {
  const text = useText()
  const [params] = useSearchParams()
  return (
    <Pagination
      page={Math.max(1, Number(params.get('pageNum')) || 1)}
      pageSize={pageSize}
      total={total}
      to={(page) => {
        const next = new URLSearchParams(params)
        next.set('pageNum', String(page))
        return { search: `?${next}` }
      }}
      labels={{
        nav: text.site.common.pages,
        page: text.site.common.page,
        previous: text.site.common.previous,
        next: text.site.common.next,
      }}
    />
  )
}
