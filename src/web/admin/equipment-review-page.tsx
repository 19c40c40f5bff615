import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { getReview, passEquipment, rejectEquipment } from '#shared/equipment/own.ts'
import { call } from '../api.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { TextareaField } from '../form-fields.tsx'
import { minute, money, named } from '../format.ts'
import { PaperView, PrivateImage } from '../paper-parts.tsx'
import { paths } from '../paths.ts'
import { queries } from '../queries.ts'
import { useCategories } from '../reference.ts'
import { useSiteName } from '../site.ts'
import { useText } from '../text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../use-form.ts'

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
      await queries.invalidateQueries()
      await navigate(paths.equipmentReviews)
    },
    onError: form.refused,
  })
  if (found.isPending) return <Skeleton rows={5} />
  if (!machine) return <Empty title={text.refusal.not_found} action={<Link to={paths.equipmentReviews}>{words.title}</Link>} />
  const open = machine.auditStatus === '1' || machine.change?.status === '1'
  const categoryParams = categories.get(machine.categoryId)?.params ?? []
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
        <Link to={paths.equipmentReviews}>{words.title}</Link> / <span className="num">{machine.equipmentCode}</span>
      </nav>
      <header className="panel row between">
        <div>
          <h1>{machine.name}</h1>
          <p className="soft">
            {machine.companyName} <Tag>{text.equipment.audit[machine.auditStatus]}</Tag>
          </p>
        </div>
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
      {machine.change?.status === '1' && (
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
        <h2>{upload.sections.photos}</h2>
        <ul className="photo-grid">
          {machine.images.map((image, index) => (
            <li key={image} className="photo">
              <PrivateImage id={image} alt={text.equipment.photo(index + 1)} />
            </li>
          ))}
        </ul>
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
