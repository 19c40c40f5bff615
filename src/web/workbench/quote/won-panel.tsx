import { calendarFile } from '#shared/award/calendar-file.ts'
import { toMoment } from '#shared/calendar.ts'
import { wayOut } from '#shared/contract/rules.ts'
import type { OwnQuote } from '#shared/quote/contract.ts'
import { comma, semicolon } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { colon } from '../../app/colon.ts'
import { machineName, minute, money, named, placeName } from '../../app/format.ts'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { RowTable } from '../../app/list-frame.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { GiveUp } from './quote-standing.tsx'
import { winStage } from '../contract/win-stage.ts'
import { WonContract } from '../contract/won-contract.tsx'
import type { ForLessor } from './quote-line.ts'

type Won = NonNullable<OwnQuote['won']>
type WonLine = Won['lines'][number]

/** What the lessor has won: the lines with their machines and sums, whom to call, the days for a calendar, and what comes next. */
export function WonPanel({ found, quote, won }: { found: ForLessor; quote: OwnQuote; won: Won }) {
  const text = useText()
  const words = text.quote.won
  const { demand } = found
  const site = useSiteName()
  const now = toMoment(new Date())
  const way = wayOut({ ...quote, ...won, status: won.contract?.status ?? null }, now)
  const stage = winStage({ ...quote, ...won }, now)
  const machines = won.lines.reduce((sum, { qty }) => sum + qty, 0)
  const lost = quote.lines
    .filter(({ demandItemId }) => won.lines.every((line) => line.demandItemId !== demandItemId))
    .flatMap(({ demandItemId }) => demand.items.find(({ id }) => id === demandItemId)?.lineNo ?? [])
  const save = () => {
    const place = [placeName(text, demand), demand.address].filter(Boolean).join(' ')
    const note = `${words.contact} ${won.contactName} ${won.contactPhone}\n${demand.title} ${demand.demandCode ?? ''}\n${location.href}`
    const days = won.lines.flatMap((line) => {
      const what = `${words.line(line.lineNo, named(text, line), line.qty)} · ${demand.projectName}`
      const about = { place, note: `${machinesOf(text, line)}\n${note}` }
      const uid = `${location.host}-${quote.id}-${line.lineNo}`
      return [
        { ...about, uid: `entry-${uid}`, day: line.entry, title: words.calendarEntry(what) },
        { ...about, uid: `exit-${uid}`, day: line.planEnd, title: words.calendarExit(what) },
      ]
    })
    const content = calendarFile(days, { now: new Date(), product: site })
    saveFile(words.calendarFile(demand.demandCode ?? ''), new Blob([content], { type: 'text/calendar;charset=utf-8' }))
  }
  return (
    <section className="panel won-panel stack" aria-label={text.quote.status[quote.status]}>
      <div className="row between">
        <div>
          <h2>{words.title(machines, money(won.invoiced, true))}</h2>
          <p className="small soft">
            <span className="num">{quote.quoteCode}</span> · {text.demand.move.award} <span className="num">{minute(won.at)}</span> ·{' '}
            {words.rent} <span className="num">{money(won.rent, true)}</span>
          </p>
        </div>
        <p className="row no-print">
          <a className="button button-primary" href={`tel:${won.contactPhone}`}>
            {words.call}
          </a>
          <button type="button" className="button" onClick={save}>
            {words.calendar}
          </button>
        </p>
      </div>
      <WonContract quote={quote} won={won} stage={stage} />
      <RowTable
        rows={won.lines}
        keyOf={({ demandItemId }) => demandItemId}
        columns={[
          {
            label: text.demand.lines,
            whole: true,
            cell: (line) => (
              <>
                <strong>
                  {line.lineNo}. {named(text, line)} ×{line.qty}
                </strong>
                <p className="small soft">{machinesOf(text, line)}</p>
              </>
            ),
          },
          {
            label: words.entry,
            cell: (line) => (
              <>
                <span className="num">{line.entry}</span>
                {line.laterEntry && <p className="small soft">{words.laterEntry(line.laterEntry)}</p>}
              </>
            ),
          },
          { label: words.exit, cell: (line) => <span className="num">{line.planEnd}</span> },
          {
            label: text.quote.compare.rate,
            num: true,
            cell: (line) => <span>{`${money(line.unitPrice, true)} ${text.equipment.unit[line.rentUnit]} · ${line.taxRate}%`}</span>,
          },
          { label: words.rent, num: true, cell: (line) => money(line.rent, true) },
          { label: words.sum, num: true, cell: (line) => <strong>{money(line.invoiced, true)}</strong> },
        ]}
      />
      <p className="small soft">
        {words.rent}
        {colon(text)}
        {words.rentHint} · {words.sum}
        {colon(text)}
        {words.sumHint}
      </p>
      {lost.length > 0 && <p className="soft">{words.lostLines(lost.map((no) => text.demand.line(no)).join(comma(text)))}</p>}
      <dl className="facts">
        <div>
          <dt>{words.contact}</dt>
          <dd>
            {won.contactName}{' '}
            <a className="num" href={`tel:${won.contactPhone}`}>
              {won.contactPhone}
            </a>
          </dd>
        </div>
        <div>
          <dt>{text.demand.place}</dt>
          <dd>{[placeName(text, demand), demand.address].filter(Boolean).join(' ')}</dd>
        </div>
      </dl>
      {stage !== 'confirmed' && <NextSteps isOpen={stage === 'open'} />}
      {way && <GiveUp quoteId={quote.id} until={way === 'recorded' ? quote.giveUpUntil : null} />}
    </section>
  )
}

/** `isOpen`: the win is still to be accepted. */
function NextSteps({ isOpen }: { isOpen: boolean }) {
  const words = useText().quote.won
  return (
    <div>
      <h3>{words.next}</h3>
      <ol className="numbered">
        {words.steps(isOpen).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  )
}

const machinesOf = (text: Text, { machines }: WonLine) =>
  machines
    .map((machine) => `${machineName(text, machine)} ${machine.equipmentCode}${machine.qty > 1 ? ` ×${machine.qty}` : ''}`)
    .join(semicolon(text))
