import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import {
  confirmTrusted,
  getReview,
  listReviews,
  passEquipment,
  rejectEquipment,
  restoreEquipment,
  takeEquipmentDown,
} from '#shared/equipment/own.ts'
import { getOverview } from '#shared/system/contract.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { TextareaField } from '../ui/form-fields.tsx'
import { minute, money, named } from '../app/format.ts'
import { PaperView } from '../file/paper-parts.tsx'
import { PaperViewer } from '../file/paper-viewer.tsx'
import { paths } from '#shared/paths.ts'
import { changeStatus, equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { invalidate } from '../app/queries.ts'
import { useCategories } from '../category/category-tree.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

/** One machine, or its requested change, with everything that decides about it. */
export default function EquipmentReviewPage() {
  const text = useText()
  const words = text.equipment.review
  const { upload } = text.equipment
  const site = useSiteName()
  const navigate = useNavigate()
  const categories = useCategories()
  const [params] = useSearchParams()
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const form = useForm(rejectEquipment.body)
  const confirm = useConfirm(getReview, listReviews, getOverview)
  const { equipment } = text.admin
  const id = params.get('id') ?? '0'
  const found = useQuery({ queryKey: [getReview.url, id], queryFn: () => call(getReview, { params: { id } }) })
  const machine = found.data
  const decide = useMutation({
    mutationFn: (pass: boolean) => {
      const body = { version: machine?.version ?? 0 }
      return pass ? call(passEquipment, { params: { id }, body }) : call(rejectEquipment, { params: { id }, body: { ...body, reason } })
    },
    onSuccess: async (_, pass) => {
      toast('success', pass ? words.passed : words.rejected)
      await invalidate(getReview, listReviews, getOverview)
      await navigate(paths.equipmentReviews())
    },
    onError: form.refused,
  })
  if (found.isPending) return <Skeleton rows={5} />
  if (!machine) return <Empty title={text.refusal.not_found} action={<Link to={paths.equipmentReviews()}>{words.title}</Link>} />
  const open = machine.auditStatus === equipmentAudit.submitted || machine.change?.status === changeStatus.waiting
  const categoryParams = categories.get(machine.categoryId)?.params ?? []
  const viewed = [
    ...machine.images.map((fileId, index) => ({ key: fileId, label: text.equipment.photo(index + 1), fileId, mime: 'image/jpeg' })),
    ...machine.papers.flatMap(({ kind, fileId, mime }) =>
      fileId ? [{ key: kind, label: text.equipment.document[kind], fileId, mime: mime ?? '' }] : [],
    ),
  ]
  const facts: [string, string | null][] = [
    [upload.fields.categoryId, named(text, machine)],
    [upload.fields.brand, machine.brand],
    [upload.fields.model, machine.model],
    [upload.fields.factoryNo, machine.factoryNo],
    [upload.fields.outFactoryDate, machine.outFactoryDate],
    [upload.fields.ownership, upload.ownerships[machine.ownership] ?? ''],
    [upload.fields.emissionStage, text.equipment.emission[machine.emissionStage]],
    [upload.fields.envCode, machine.envCode],
    [upload.fields.plateNo, machine.plateNo],
    [upload.fields.vin, machine.vin],
    [upload.fields.registrationNo, machine.registrationNo],
    [upload.fields.filingNo, machine.filingNo],
    [text.equipment.location, `${machine.regionName} ${machine.yardAddress}`],
    ...categoryParams.map((param): [string, string | null] => [
      text.locale === 'zh-CN' ? param.label : param.labelEn,
      machine.specs[param.key] === undefined ? null : `${machine.specs[param.key]} ${param.unit}`,
    ]),
    ...machine.prices.map((price): [string, string | null] => [
      text.equipment.unit[price.rentUnit],
      price.price === null ? text.equipment.negotiable : money(price.price),
    ]),
  ]
  return (
    <div className="stack">
      <Head title={machine.name} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.equipmentReviews()}>{words.title}</Link> / <span className="num">{machine.equipmentCode}</span>
      </nav>
      <header className="panel row between">
        <div>
          <h1>{machine.name}</h1>
          <p className="soft">
            {machine.companyName} {machine.companyGrade && <Tag tone="good">{machine.companyGrade}</Tag>}{' '}
            <Tag>{text.equipment.audit[machine.auditStatus]}</Tag> <Tag>{text.equipment.shelf[machine.shelfStatus]}</Tag>{' '}
            {machine.trusted && <Tag tone="amber">{equipment.trusted}</Tag>}
          </p>
        </div>
        {!open && machine.auditStatus === equipmentAudit.passed && (
          <p className="row">
            {machine.shelfStatus === shelfStatus.takenDown ? (
              <button
                type="button"
                className="button"
                onClick={() =>
                  confirm.ask({
                    title: equipment.restore,
                    ask: machine.name,
                    harmless: true,
                    run: () => call(restoreEquipment, { params: { id } }),
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
                  confirm.ask({
                    title: equipment.takeDown,
                    ask: equipment.takeDownAsk,
                    subject: machine.name,
                    note: { label: text.admin.reason },
                    run: (note) => call(takeEquipmentDown, { params: { id }, body: { reason: note } }),
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
                  confirm.ask({
                    title: equipment.confirm,
                    ask: machine.name,
                    harmless: true,
                    run: () => call(confirmTrusted, { params: { id } }),
                    done: () => equipment.confirmed,
                  })
                }
              >
                {equipment.confirm}
              </button>
            )}
          </p>
        )}
        {open && (
          <p className="row">
            <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
              {words.reject}
            </button>
            <button type="button" className="button button-primary" disabled={decide.isPending} onClick={() => decide.mutate(true)}>
              {words.pass}
            </button>
          </p>
        )}
      </header>
      {machine.shelfStatus === shelfStatus.takenDown && (
        <p className="notice notice-warn">
          {equipment.offBecause}: {machine.offReason}
        </p>
      )}
      {machine.duplicates.length > 0 && (
        <section className="notice notice-warn">
          <strong>{words.duplicateTitle}</strong>
          <ul>
            {machine.duplicates.map((other) => (
              <li key={other.id}>
                {other.name} · {other.companyName} <span className="num">{other.equipmentCode}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {machine.change?.status === changeStatus.waiting && (
        <section className="panel">
          <h2>{upload.changing}</h2>
          <table className="table">
            <thead>
              <tr>
                <th />
                <th>{upload.changeBefore}</th>
                <th>{upload.changeAfter}</th>
              </tr>
            </thead>
            <tbody>
              {machine.change.fields.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td>{before}</td>
                  <td>
                    <strong>{after}</strong>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <div className="split">
        <div className="stack">
          <section className="panel">
            <dl className="facts">
              {facts
                .filter(([, value]) => value)
                .map(([label, value]) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
            </dl>
          </section>
          <section className="panel stack">
            <h2>{upload.sections.papers}</h2>
            <ul className="papers">
              {machine.papers.map((paper) => (
                <li key={paper.kind} className="paper">
                  <strong>{text.equipment.document[paper.kind]}</strong>
                  <span className="small">
                    {[paper.number, paper.issuedBy, paper.validTo && text.equipment.paperValid(paper.validTo)].filter(Boolean).join(' · ')}
                  </span>
                  {paper.fileId && <PaperView fileId={paper.fileId} mime={paper.mime ?? ''} label={text.equipment.document[paper.kind]} />}
                </li>
              ))}
            </ul>
          </section>
        </div>
        {viewed.length > 0 && (
          <section className="panel split-side" aria-label={upload.sections.papers}>
            <PaperViewer papers={viewed} />
          </section>
        )}
      </div>
      <section className="panel">
        <h2>{upload.sections.history}</h2>
        <ol className="timeline">
          {machine.events.map((event) => (
            <li key={event.id}>
              <strong>{upload.move[event.move] ?? event.move}</strong> <span className="small faint num">{minute(event.at)}</span>
              {event.note && event.move !== 'change' && <p className="small soft">{event.note}</p>}
            </li>
          ))}
        </ol>
      </section>
      {confirm.dialog}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.reject}
        action={words.reject}
        busy={decide.isPending}
        onConfirm={() => form.check({ version: machine.version, reason }) && decide.mutate(false)}
      >
        <TextareaField label={words.reason} required maxLength={500} value={reason} onChange={setReason} error={form.errors.reason} />
      </ConfirmDialog>
    </div>
  )
}
