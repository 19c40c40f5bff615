import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { DemandItem } from '#shared/demand/contract.ts'
import { getMarketPrices } from '#shared/equipment/market.ts'
import { call } from '../../app/api.ts'
import { money, number } from '../../app/format.ts'
import { UnloadedOptions } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { aboveMarket, offeredMonthFen, type QuoteFormState } from './quote-line.ts'

/** Tells the lessor, before the offer is submitted, where its price stands among similar machines on the shelf. */
export function OfferMarket({ form, index, item }: { form: QuoteFormState; index: number; item: DemandItem }) {
  const { market: words } = useText().equipment
  const [machines, unitPrice, rentUnit] = useWatch({
    control: form.control,
    name: [`lines.${index}.machines`, `lines.${index}.unitPrice`, `lines.${index}.rentUnit`],
  })
  const id = machines[0]?.equipmentId ?? 0
  const market = useQuery({
    queryKey: [getMarketPrices.url, id],
    queryFn: () => call(getMarketPrices, { params: { id } }, true),
    enabled: id > 0,
    staleTime: 300_000,
  })
  if (!market.data) return <UnloadedOptions queries={[market]} />
  const { median, count } = market.data
  const monthFen = offeredMonthFen({ unitPrice, rentUnit, shiftMode: item.shiftMode })
  if (monthFen === null) return null
  const share = aboveMarket(monthFen, median)
  const percent = `${number(Math.abs(share))}%`
  return (
    <p className="span-all small" role="status">
      <strong>{share === 0 ? words.equal : share < 0 ? words.below(percent) : words.above(percent)}</strong>{' '}
      <span className="soft">
        <span className="num">{words.median(money(median), rentUnit === 'M' ? '' : money(monthFen / 100))}</span> · {words.lead(count)}
      </span>
    </p>
  )
}
