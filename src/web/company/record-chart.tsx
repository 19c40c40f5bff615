import { useMemo } from 'react'
import { number } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { LateChart } from '../ui/late-chart.tsx'

type Record_ = { invited: number; answered: number; quoted: number; won: number; withdrawn: number }

/** A lessor's record from the invitation to the award. */
export function RecordChart({ record }: { record: Record_ }) {
  const text = useText()
  const words = text.equipment.lessors
  const data = useMemo(
    () => ({
      labels: [words.invited, words.answered, words.quoted, words.won, words.withdrawn],
      series: [
        {
          name: words.times,
          kind: 'bar' as const,
          tone: 'blue' as const,
          values: [record.invited, record.answered, record.quoted, record.won, record.withdrawn],
        },
      ],
      lying: true,
      format: (value: number) => number(value),
    }),
    [record, words],
  )
  return <LateChart title={words.recordChart} data={data} labelName={words.record} words={text.site.chart} height={230} />
}
