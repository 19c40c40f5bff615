import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  confirmTrusted,
  getReview,
  listReviews,
  passEquipment,
  rejectEquipment,
  restoreEquipment,
  takeEquipmentDown,
} from '#shared/equipment/manage.ts'
import type { Answered } from '#shared/endpoint.ts'
import { getOverview } from '#shared/system/contract.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { colon } from '../app/colon.ts'
import { machineName } from '../app/format.ts'
import { gradeTone, shelfTone } from '../equipment/machine-card.tsx'
import { useMachineFacts, usePriceFacts } from '../equipment/machine-facts.ts'
import { MachineHistory } from '../equipment/machine-history.tsx'
import { FileThumbnail } from '../file/private-file.tsx'
import { FileViewer } from '../file/file-viewer.tsx'
import { paths } from '#shared/paths.ts'
import { changeStatus, equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { queueSize, ReviewBar, useReviewQueue } from '../app/review-bar.tsx'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { FactRows } from '../ui/facts.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm, useNewAnswer } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

type ReviewedMachine = Answered<typeof getReview>

/** Reviews one machine or one requested change of it, then the next in the queue. */
export default function EquipmentReviewPage() {
  const text = useText()
  const words = text.equipment.review
  const site = useSiteName()
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const query = useQuery({ queryKey: [getReview.url, id], queryFn: () => call(getReview, { params: { id } }), staleTime: 0 })
  // Whoever opens it again sees what was handed in meanwhile, not what they decided.
  const machine = useNewAnswer(query, id)
  if (!machine)
    return <Unloaded queries={[{ ...query, data: machine }]} rows={5} back={<Link to={paths.equipmentReviews()}>{words.title}</Link>} />
  return (
    <div className="stack">
      <Head title={machineName(text, machine)} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.equipmentReviews()}>{words.title}</Link> / <span className="num">{machine.equipmentCode}</span>
      </nav>
      <header className="panel row between">
        <div>
          <h1>{machineName(text, machine)}</h1>
          <p className="soft">
            {machine.companyName}{' '}
            {machine.companyGrade && <Tag tone={gradeTone(machine.companyGrade)}>{text.equipment.grade(machine.companyGrade)}</Tag>}{' '}
            <Tag>{text.equipment.audit[machine.auditStatus]}</Tag>{' '}
            <Tag tone={shelfTone(machine.shelfStatus)}>{text.equipment.shelf[machine.shelfStatus]}</Tag>{' '}
            {machine.trusted && <Tag tone="amber">{text.admin.equipment.trusted}</Tag>}
          </p>
        </div>
        {machine.auditStatus === equipmentAudit.passed && <ShelfActions key={machine.id} machine={machine} />}
      </header>
      {machine.shelfStatus === shelfStatus.takenDown && (
        <p className="notice notice-warn">
          {text.admin.equipment.offBecause}
          {colon(text)}
          {machine.offReason}
        </p>
      )}
      {machine.duplicates.length > 0 && <Duplicates duplicates={machine.duplicates} />}
      {machine.change?.status === changeStatus.waiting && <ChangedFields fields={machine.change.fields} />}
      <MachineFacts machine={machine} />
      <MachineHistory events={machine.events} />
      {isWaiting(machine) && <MachineDecision key={`${machine.id} ${machine.version}`} machine={machine} />}
    </div>
  )
}

const isChange = ({ change }: ReviewedMachine) => change?.status === changeStatus.waiting
const isWaiting = (machine: ReviewedMachine) => machine.auditStatus === equipmentAudit.submitted || isChange(machine)

/** The decision about a machine or its change, and the way to the next one. */
function MachineDecision({ machine }: { machine: ReviewedMachine }) {
  const text = useText()
  const words = text.equipment.review
  const form = useForm(rejectEquipment.body)
  const [reason, setReason] = useState('')
  const { id, version } = machine
  const draft = useValuesDraft(`machine-review-${id}`, { reason }, (stored) => setReason(stored.reason), {
    quiet: true,
    version: String(version),
  })
  const waiting = useQuery({
    queryKey: [listReviews.url, 'queue'],
    queryFn: () => call(listReviews, { query: { scope: 'waiting', pageSize: queueSize } }),
    placeholderData: (before) => before,
  })
  const rows = waiting.data?.rows ?? []
  const queue = useReviewQueue({ ids: rows.map((row) => row.id), id, to: paths.equipmentReview, list: paths.equipmentReviews() })
  const refresh = () => invalidate(getReview, listReviews, getOverview)
  const decide = useMutation({
    mutationFn: (isPassed: boolean) =>
      isPassed
        ? call(passEquipment, { params: { id }, body: { version } })
        : call(rejectEquipment, { params: { id }, body: { version, reason } }),
    onSuccess: async (_, isPassed) => {
      draft.done()
      toast('success', isPassed ? words.passed : words.rejected)
      await queue.leave()
      await refresh()
    },
    onError: async (error) => {
      form.refused(error)
      if (isOutdated(error)) await refresh()
    },
  })
  return (
    <ReviewBar
      name={machineName(text, machine)}
      since={rows.find((row) => row.id === id)?.submitTime ?? null}
      queue={queue}
      reason={{
        label: words.reason,
        usual: words.reasons,
        value: reason,
        error: form.errors.reason,
        draft,
        onChange: (value) => {
          setReason(value)
          form.clear('reason')
        },
      }}
      pass={{ label: words.pass, question: words.passAsk(isChange(machine)), run: () => decide.mutate(true) }}
      sendBack={{ label: words.reject, run: () => form.check({ version, reason }) && decide.mutate(false) }}
      busy={decide.isPending}
    />
  )
}

/** What the platform may do with a machine that has passed its review: take it down, restore it, or confirm one of a trusted company. */
function ShelfActions({ machine }: { machine: ReviewedMachine }) {
  const text = useText()
  const { equipment } = text.admin
  const { confirm, dialog } = useConfirm(getReview, listReviews, getOverview)
  const params = { id: machine.id }
  return (
    <>
      <p className="row">
        {machine.shelfStatus === shelfStatus.takenDown ? (
          <button
            type="button"
            className="button"
            onClick={() =>
              confirm({
                title: equipment.restore,
                question: machineName(text, machine),
                harmless: true,
                run: () => call(restoreEquipment, { params }),
                done: () => equipment.restored,
              })
            }
          >
            {equipment.restore}
          </button>
        ) : (
          <button
            type="button"
            className="button button-danger"
            onClick={() =>
              confirm({
                title: equipment.takeDown,
                question: equipment.takeDownAsk,
                subject: machineName(text, machine),
                note: { label: text.admin.reason, draft: `machine-take-down-${machine.id}` },
                run: (note) => call(takeEquipmentDown, { params, body: { reason: note } }),
                done: () => equipment.takenDown,
              })
            }
          >
            {equipment.takeDown}
          </button>
        )}
        {machine.trusted && (
          <button
            type="button"
            className="button button-primary"
            onClick={() =>
              confirm({
                title: equipment.confirm,
                question: machineName(text, machine),
                harmless: true,
                run: () => call(confirmTrusted, { params }),
                done: () => equipment.confirmed,
              })
            }
          >
            {equipment.confirm}
          </button>
        )}
      </p>
      {dialog}
    </>
  )
}

/** Other machines with the same brand and factory number. */
function Duplicates({ duplicates }: { duplicates: ReviewedMachine['duplicates'] }) {
  const words = useText().equipment.review
  return (
    <section className="notice notice-warn">
      <strong>{words.duplicateTitle}</strong>
      <ul>
        {duplicates.map((other) => (
          <li key={other.id}>
            {other.name} · {other.companyName} <span className="num">{other.equipmentCode}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The requested change of key fields, before and after. */
function ChangedFields({ fields }: { fields: NonNullable<ReviewedMachine['change']>['fields'] }) {
  const { upload } = useText().equipment
  return (
    <section className="panel">
      <h2>{upload.changing}</h2>
      <table className="table cards-on-phone row-table">
        <thead>
          <tr>
            <th>
              <span className="visually-hidden">{upload.changing}</span>
            </th>
            <th>{upload.changeBefore}</th>
            <th>{upload.changeAfter}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ field, before, after }) => (
            <tr key={field}>
              <td className="whole">{field}</td>
              <td data-label={upload.changeBefore}>{before}</td>
              <td data-label={upload.changeAfter}>
                <strong>{after}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The fields and documents of a machine, beside its pictures. */
function MachineFacts({ machine }: { machine: ReviewedMachine }) {
  const text = useText()
  const { upload } = text.equipment
  const requested = machine.change?.papers ?? []
  const viewed = [
    ...machine.images.map((fileId, index) => ({ key: fileId, label: text.equipment.photo(index + 1), fileId, mime: 'image/jpeg' })),
    ...requested.map(({ kind, fileId, mime }) => ({
      key: `requested ${kind}`,
      label: `${text.equipment.document[kind]} ${upload.newFile}`,
      fileId: fileId ?? '',
      mime: mime ?? '',
    })),
    ...machine.papers.flatMap(({ kind, fileId, mime }) =>
      fileId ? [{ key: kind, label: text.equipment.document[kind], fileId, mime: mime ?? '' }] : [],
    ),
  ]
  const facts = [...useMachineFacts(machine), ...usePriceFacts(machine)]
  return (
    <div className="split">
      <div className="stack">
        <section className="panel">
          <dl className="facts">
            <FactRows facts={facts} />
          </dl>
        </section>
        <section className="panel stack">
          <h2>{upload.sections.papers}</h2>
          {requested.length > 0 && (
            <>
              <h3>{upload.changing}</h3>
              <MachinePapers papers={requested} />
              <h3>{upload.changeBefore}</h3>
            </>
          )}
          <MachinePapers papers={machine.papers} />
        </section>
      </div>
      {viewed.length > 0 && (
        <section className="panel split-side" aria-label={upload.sections.papers}>
          <FileViewer files={viewed} />
        </section>
      )}
    </div>
  )
}

function MachinePapers({ papers }: { papers: ReviewedMachine['papers'] }) {
  const text = useText()
  return (
    <ul className="papers">
      {papers.map((paper) => (
        <li key={paper.kind} className="paper">
          <strong>{text.equipment.document[paper.kind]}</strong>
          <span className="small">
            {[paper.number, paper.issuedBy, paper.validTo && text.equipment.paperValid(paper.validTo)].filter(Boolean).join(' · ')}
          </span>
          {paper.fileId && <FileThumbnail fileId={paper.fileId} mime={paper.mime ?? ''} label={text.equipment.document[paper.kind]} />}
        </li>
      ))}
    </ul>
  )
}
