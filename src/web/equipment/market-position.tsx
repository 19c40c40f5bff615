import { useEffect, useMemo, useState } from 'react'
import type { Answered } from '#shared/endpoint.ts'
import { getMarketPrices } from '#shared/equipment/market.ts'
import { ApiError, call } from '../app/api.ts'
import { money, number } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { LateChart } from '../ui/late-chart.tsx'

type Market = NonNullable<Answered<typeof getMarketPrices>>

/** Where the rent of a machine stands among similar machines on the shelf. Fetched after the page, and left out where there is no market. */
export function MarketPosition({ machineId }: { machineId: number }) {
  const text = useText()
  const [market, setMarket] = useState<Market | 'failed' | null>(null)
  const [tries, setTries] = useState(1)
  useEffect(() => {
    let isGone = false
    const show = (found: Market | 'failed' | null) => {
      if (!isGone) setMarket(found)
    }
    call(getMarketPrices, { params: { id: machineId } }).then(show, (problem: unknown) => {
      if (!(problem instanceof ApiError)) throw problem
      show('failed')
    })
    return () => {
      isGone = true
    }
  }, [machineId, tries])
  if (market === null) return null
  return (
    <section className="panel stack">
      <h2>{text.equipment.market.title}</h2>
      {market === 'failed' ? (
        <p className="soft">
          {text.equipment.market.failed}{' '}
          <button type="button" className="link" onClick={() => setTries(tries + 1)}>
            {text.site.common.retry}
          </button>
        </p>
      ) : (
        <Position market={market} />
      )}
    </section>
  )
}

function Position({ market: { own, median, count, steps } }: { market: Market }) {
  const text = useText()
  const words = text.equipment.market
  const data = useMemo(() => {
    const at = own === null ? -1 : steps.findIndex(({ to }) => Number(own) <= Number(to))
    return {
      labels: steps.map(({ from, to }) => `${money(from)}–${money(to)}`),
      series: [{ name: words.machines, kind: 'bar' as const, tone: 'blue' as const, values: steps.map((step) => step.count) }],
      picked: own === null ? null : at === -1 ? steps.length - 1 : at,
      format: (value: number) => number(value),
    }
  }, [own, steps, words])
  const gap = own === null ? null : Number(own) / Number(median) - 1
  const percent = gap === null ? '' : `${Math.abs(gap * 100).toFixed(0)}%`
  return (
    <>
      <p>
        {gap !== null && <strong>{percent === '0%' ? words.equal : gap < 0 ? words.below(percent) : words.above(percent)}</strong>}{' '}
        <span className="small soft">
          {own !== null && `${words.own} ${money(own)} · `}
          {words.median(money(median), '')} · {words.lead(count)}
        </span>
      </p>
      <LateChart title={words.chart} data={data} labelName={words.price} words={text.site.chart} height={220} />
    </>
  )
}
