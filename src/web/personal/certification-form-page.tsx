import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { listOwnCertifications, withdrawCertification, type Certification } from '#shared/certification/contract.ts'
import {
  certificationKinds,
  certificationStatus,
  draftCertifications,
  editableCertifications,
  waitingCertifications,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { call } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { CertificationFacts } from '../certification/certification-fields.tsx'
import { CertificationHistory } from '../certification/certification-history.tsx'
import { otherKindBar } from '../certification/certification-reason.ts'
import { certificationTone } from '../certification/certification-tone.ts'
import { invalidate } from '../app/queries.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { FileThumbnail } from '../file/private-file.tsx'
import { paths } from '#shared/paths.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { refetchChangedUser } from '../app/refetch.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Empty, Head, Tag } from '../ui/parts.tsx'
import { CertificationForm } from './certification-form.tsx'
import { Link } from '../ui/link.tsx'

/** One of the three kinds: the form while it can be edited, otherwise the submitted certification. */
export default function CertificationFormPage() {
  const { certification } = useText()
  const site = useSiteName()
  const session = useSession()
  const last = useLocation().pathname.replace(/\/$/, '').split('/').at(-1)
  const kind = certificationKinds.find((one) => one === last) ?? 'rentout'
  const [params] = useSearchParams()
  const [changing, setChanging] = useState(params.has('change'))
  // A decision that arrives while the page is open changes auditStatus, which refetches the certification.
  const own = useQuery({
    queryKey: [listOwnCertifications.url, session.auditStatus],
    queryFn: () => call(listOwnCertifications, {}),
  })
  const found = own.data?.find((one) => one.kind === kind)
  const bar = own.data && otherKindBar(own.data, kind, certification)
  const status = found?.status ?? (roleIn(session) ? certificationStatus.passed : certificationStatus.unsubmitted)
  const editing = isAmong(status, editableCertifications) || (changing && status === certificationStatus.passed)
  // Each save of a draft raises its version while the form stays as it is; whoever edits an older one gets the newer one.
  const [turn, setTurn] = useState(0)
  const isDraft = isAmong(status, draftCertifications)
  const reopen = useCallback(() => {
    void invalidate(listOwnCertifications).then(() => setTurn((before) => before + 1))
  }, [setTurn])
  return (
    <div className="stack">
      <Head title={certification.kinds[kind]} site={site} index={false} />
      <p className="small">
        <Link to={paths.certification}>{certification.back}</Link>
      </p>
      <div className="row between">
        <h1>{certification.kinds[kind]}</h1>
        {found && <Tag tone={certificationTone[status]}>{certification.status[status]}</Tag>}
      </div>
      {!own.data ? (
        <Unloaded queries={[own]} rows={5} />
      ) : bar ? (
        <div className="panel">
          <Empty title={bar} action={<Link to={paths.certification}>{certification.back}</Link>} />
        </div>
      ) : editing || !found ? (
        <CertificationForm
          key={`${kind}-${isDraft ? `draft-${turn}` : (found?.version ?? 0)}-${status}`}
          kind={kind}
          found={found}
          onDone={() => setChanging(false)}
          onOvertaken={reopen}
        />
      ) : (
        <Standing kind={kind} found={found} onChange={() => setChanging(true)} />
      )}
    </div>
  )
}

/** The submitted certification with its status, its history and its actions. */
function Standing({ kind, found, onChange }: { kind: CertificationKind; found: Certification; onChange: () => void }) {
  const text = useText()
  const { certification } = text
  const { confirm, dialog } = useConfirm(listOwnCertifications)
  const inReview = isAmong(found.status, waitingCertifications)
  const isChange = found.status === certificationStatus.changing
  const withdrawTitle = isChange ? certification.withdrawChange : certification.withdraw
  const withdraw = () =>
    confirm({
      title: withdrawTitle,
      question: isChange ? certification.withdrawChangeAsk : certification.withdrawAsk,
      run: async () => {
        await call(withdrawCertification, { params: { id: found.id } })
        await refetchChangedUser()
      },
      done: () => certification.withdrawn,
    })
  return (
    <>
      {inReview && (
        <p className="notice" role="status">
          {isChange ? certification.changing : certification.inReview}
        </p>
      )}
      {found.reason && (
        <p className="notice notice-warn">
          {certification.reasonLabel}
          {colon(text)}
          {found.reason}
        </p>
      )}
      <p className="row">
        {inReview ? (
          <button type="button" className="button" onClick={withdraw}>
            {withdrawTitle}
          </button>
        ) : (
          <button type="button" className="button" onClick={onChange}>
            {certification.change}
          </button>
        )}
        {found.status === certificationStatus.passed && (
          <span className="soft num">{found.validTo ? certification.validTo(found.validTo) : certification.forever}</span>
        )}
      </p>
      <CertificationFacts kind={kind} form={found.form} parentName={found.parentName} />
      <section className="panel">
        <h2>{certification.steps.papers}</h2>
        <ul className="papers">
          {found.documents.map((paper) => (
            <li key={paper.kind} className="paper">
              <strong>{certification.documents[paper.kind]}</strong>
              <FileThumbnail fileId={paper.fileId} mime={paper.mime} label={certification.documents[paper.kind]} />
              {paper.validTo && <span className="small soft num">{certification.validTo(paper.validTo)}</span>}
            </li>
          ))}
        </ul>
      </section>
      <CertificationHistory events={found.events} />
      {dialog}
    </>
  )
}
