import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { cancelDemand, exportApply, failDemand, getOwnDemand, openDemand, type OwnDemand } from '#shared/demand/contract.ts'
import { canMoveDemand, isOpened } from '#shared/demand/rules.ts'
import { call, download } from '../api.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { minute } from '../format.ts'
import { paths } from '../paths.ts'
import { queries } from '../queries.ts'
import { Countdown, demandTone } from '../cards.tsx'
import { Attachments, DemandFacts, ItemsTable } from '../demand-parts.tsx'
import { useSiteName } from '../site.ts'
import { mayIn, useSession } from '../session.ts'
import { useText } from '../text.tsx'
import { Empty, Field, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../use-form.ts'
import { Compare } from './compare.tsx'

export default function OwnDemandDetailPage() {
  const text = useText()
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const demand = useQuery({
    queryKey: [getOwnDemand.url, id],
    queryFn: () => call(getOwnDemand, { params: { id } }),
    // The clock opens it by itself: a page that waits for the deadline sees it.
    refetchInterval: ({ state }) => (state.data?.status === '3' ? 10_000 : false),
  })
  if (demand.isPending) return <Skeleton rows={5} />
  if (demand.isError) return <Empty title={text.demand.own.notYours} action={<Link to={paths.ownDemands()}>{text.demand.own.list}</Link>} />
  return <Detail demand={demand.data} />
}

function Detail({ demand }: { demand: OwnDemand }) {
  const text = useText()
  const { own } = text.demand
  const site = useSiteName()
  const session = useSession()
  const [asking, setAsking] = useState<'cancel' | 'fail' | 'open' | null>(null)
  const mayEdit = mayIn(session, 'demand:edit')
  const opened = isOpened(demand.status)
  return (
    <div className="stack">
      <Head title={demand.title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.ownDemands()}>{own.list}</Link> / <span className="num">{demand.demandCode}</span>
      </nav>
      <header className="panel">
        <div className="row between" style={{ alignItems: 'flex-start' }}>
          <div>
            <h1>{demand.title}</h1>
            <p className="row" style={{ marginTop: 8 }}>
              <Tag tone={demandTone[demand.status] ?? 'plain'}>{text.demand.status[demand.status]}</Tag>
              <Tag>{text.demand.type[demand.demandType]}</Tag>
              <Tag tone={demand.sealed ? 'blue' : 'plain'}>{demand.sealed ? text.demand.sealed : text.demand.unsealed}</Tag>
              {demand.lowEmissionZone && <Tag tone="amber">{text.demand.lowEmission}</Tag>}
            </p>
            {demand.statusReason && (
              <p className="soft" style={{ marginTop: 8 }}>
                {own.reason}: {demand.statusReason}
              </p>
            )}
          </div>
          <div>
            <p className="soft">
              {text.demand.deadline} <span className="num">{minute(demand.quoteDeadline)}</span>
            </p>
            {demand.status === '3' && (
              <p className="demand-left">
                <Countdown until={demand.quoteDeadline} />
              </p>
            )}
          </div>
        </div>
        <div className="row no-print" style={{ marginTop: 16 }}>
          {mayEdit && canMoveDemand(demand, 'open', 'owner') && (
            <button type="button" className="button button-primary" onClick={() => setAsking('open')}>
              {own.openNow}
            </button>
          )}
          {opened && mayIn(session, 'demand:export') && (
            <button
              type="button"
              className="button"
              onClick={() => void download(exportApply, { query: { id: demand.id } }).catch(() => undefined)}
            >
              {own.export}
            </button>
          )}
          {mayEdit && (
            <Link className="button" to={paths.addDemand(`?copy=${demand.id}`)}>
              {own.copy}
            </Link>
          )}
          <button type="button" className="button" onClick={() => window.print()}>
            {text.site.common.print}
          </button>
          {mayIn(session, 'demand:award') && canMoveDemand(demand, 'fail', 'owner') && (
            <button type="button" className="button button-danger" onClick={() => setAsking('fail')}>
              {own.fail}
            </button>
          )}
          {mayEdit && canMoveDemand(demand, 'cancel', 'owner') && (
            <button type="button" className="button button-danger" onClick={() => setAsking('cancel')}>
              {own.cancel}
            </button>
          )}
        </div>
      </header>

      {demand.status === '3' && (
        <div className="notice row between">
          <strong>{own.received(demand.quoteCount)}</strong>
          <span>{demand.sealed ? own.receivedSealed : own.receivedOpen}</span>
        </div>
      )}
      {opened && <Compare demand={demand} />}

      <section className="panel">
        <h2>{text.demand.lines}</h2>
        <ItemsTable items={demand.items} />
      </section>
      <section className="panel">
        <h2>{text.demand.form.sections.duties}</h2>
        <DemandFacts demand={demand} />
        <p style={{ marginTop: 12 }}>
          {text.demand.contact}: {demand.contactName} <span className="num">{demand.contactPhone}</span>
        </p>
        {demand.invited.length > 0 && (
          <p>
            {own.invited}: {demand.invited.map(({ companyName }) => companyName).join(', ')}
          </p>
        )}
        {demand.terms && (
          <p style={{ whiteSpace: 'pre-line' }} className="soft">
            {demand.terms}
          </p>
        )}
      </section>
      <Attachments files={demand.attachments} />
      <section className="panel">
        <h2>{own.timeline}</h2>
        <ol className="timeline">
          {demand.events.map((event) => (
            <li key={event.id}>
              <strong>{text.demand.move[event.move] ?? event.move}</strong> <span className="small faint num">{minute(event.at)}</span>
              <p className="small soft">
                {event.who === '' ? own.who.clock : event.who === '-' ? own.who.outside : event.who}
                {event.note && ` · ${event.note}`}
              </p>
            </li>
          ))}
        </ol>
      </section>
      <EndDialog demand={demand} asking={asking} onClose={() => setAsking(null)} />
    </div>
  )
}

function EndDialog({ demand, asking, onClose }: { demand: OwnDemand; asking: 'cancel' | 'fail' | 'open' | null; onClose: () => void }) {
  const text = useText()
  const { own } = text.demand
  const [reason, setReason] = useState('')
  const form = useForm(cancelDemand.body)
  const done = (message: string) => {
    toast('success', message)
    setReason('')
    onClose()
    return queries.invalidateQueries()
  }
  const act = useMutation({
    mutationFn: async (move: 'cancel' | 'fail' | 'open') => {
      const params = { id: demand.id }
      if (move === 'open') return call(openDemand, { params })
      return call(move === 'cancel' ? cancelDemand : failDemand, { params, body: { reason } })
    },
    onSuccess: (_, move) => done({ cancel: own.cancelled, fail: own.failed, open: own.opened }[move]),
    onError: (error) => {
      form.refused(error)
      void queries.invalidateQueries()
    },
  })
  const confirm = () => {
    if (!asking) return
    if (asking !== 'open' && !form.check({ reason })) return
    act.mutate(asking)
  }
  const title = asking === 'open' ? own.openNow : asking === 'fail' ? own.fail : own.cancel
  return (
    <ConfirmDialog
      open={asking !== null}
      onClose={onClose}
      title={title}
      kind={asking === 'open' ? 'info' : 'warning'}
      action={title}
      busy={act.isPending}
      onConfirm={confirm}
    >
      <p>{asking === 'open' ? own.openAsk : asking === 'fail' ? own.failAsk : own.cancelAsk}</p>
      {asking !== 'open' && (
        <Field label={own.reason} error={form.errors.reason} required>
          {(control) => (
            <textarea
              {...control}
              className="textarea"
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      )}
    </ConfirmDialog>
  )
}
