import { useSearchParams } from 'react-router'
import { countText } from './format.ts'
import { useText } from './text.tsx'
import { Pagination } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

/** Links to the pages of a list whose filters are in the address. */
export function ListPages({ total, pageSize, capped }: { total: number; pageSize: number; capped?: boolean | undefined }) {
  const text = useText()
  const [params] = useSearchParams()
  return (
    <Pagination
      page={Math.max(1, Number(params.get('pageNum')) || 1)}
      pageSize={pageSize}
      total={total}
      capped={capped}
      to={(page) => {
        const next = new URLSearchParams(params)
        next.set('pageNum', String(page))
        return `?${next}`
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

/** The total of a list, or its bound with a link to the exact total. */
export function Counted({ list: { total, capped }, words }: { list: { total: number; capped?: boolean }; words: (n: string) => string }) {
  const { counted } = useText().site.common
  const [params] = useSearchParams()
  const exact = new URLSearchParams(params)
  exact.set('exact', '1')
  return (
    <p className="num">
      {words(countText({ total, capped }))}{' '}
      {capped && (
        <Link to={`?${exact}`} preventScrollReset rel="nofollow" className="small">
          {counted}
        </Link>
      )}
    </p>
  )
}
