import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listOwnCertifications, type Certification } from '#shared/certification/contract.ts'
import { certificationKinds, certificationStatus, signOf, type CertificationKind } from '#shared/certification/rules.ts'
import { dayOf, daysBetween } from '#shared/calendar.ts'
import { comma } from '#shared/text/punctuation.ts'
import { call } from '../app/api.ts'
import { firstToEnd, otherKindBar, reasonOf } from '../certification/certification-reason.ts'
import { certificationTone } from '../certification/certification-tone.ts'
import { colon } from '../app/colon.ts'
import { minute } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

/** The three kinds of certification, each with its status and its next step. */
export default function CertificationPage() {
  const { certification } = useText()
  const site = useSiteName()
  const session = useSession()
  const [params] = useSearchParams()
  const own = useQuery({
    queryKey: [listOwnCertifications.url, session.auditStatus],
    queryFn: () => call(listOwnCertifications, {}),
  })
  const certified = roleIn(session) !== null
  const userType = session.info?.user.userType
  return (
    <div className="stack">
      <Head title={certification.title} site={site} index={false} />
      <h1>{certification.title}</h1>
      {!certified && params.get('from') && (
        <p className="notice notice-warn" role="status">
          {certification.needed}
        </p>
      )}
      <p className="soft">{certification.lead}</p>
      {!own.data ? (
        <Unloaded queries={[own]} rows={3} />
      ) : (
        certificationKinds.map((kind) => {
          const found = own.data.find((one) => one.kind === kind)
          const isOther = certified && signOf[kind].userType !== userType
          const bar = isOther ? certification.other : otherKindBar(own.data, kind, certification)
          return <KindCard key={kind} kind={kind} found={found} bar={bar} />
        })
      )}
    </div>
  )
}

function KindCard({
  kind,
  found,
  bar,
}: {
  kind: CertificationKind
  found: Certification | undefined
  /** Why this kind cannot be applied for. */
  bar: string | undefined
}) {
  const text = useText()
  const { certification, locale } = text
  const status = found?.status ?? certificationStatus.unsubmitted
  const why = found && reasonOf(found, certification)
  const action = {
    [certificationStatus.unsubmitted]: found ? certification.goOn : certification.start,
    [certificationStatus.inReview]: certification.see,
    [certificationStatus.passed]: certification.see,
    [certificationStatus.rejected]: certification.mend,
    [certificationStatus.expired]: certification.start,
    [certificationStatus.changing]: certification.see,
    [certificationStatus.revoked]: certification.start,
  }[status]
  const daysLeft = found?.validTo ? daysBetween(dayOf(new Date()), found.validTo) : null
  return (
    <section className="panel stack gap-10">
      <div className="row between">
        <div>
          <h2>{certification.kinds[kind]}</h2>
          <p className="small soft">{certification.kindHints[kind]}</p>
        </div>
        <Tag tone={certificationTone[status]}>{certification.status[status]}</Tag>
      </div>
      {found && found.name !== '' && (
        <p>
          {found.name}
          {status === certificationStatus.passed && (
            <span className="soft num"> · {found.validTo ? certification.validTo(found.validTo) : certification.forever}</span>
          )}
        </p>
      )}
      {found?.validTo && status === certificationStatus.passed && daysLeft !== null && daysLeft <= 90 && (
        <p className="notice notice-warn">
          {certification.expiresIn(
            firstToEnd(found)
              .map((one) => certification.documents[one])
              .join(comma(text)) || certification.kinds[kind],
            found.validTo,
            daysLeft,
          )}{' '}
          <Link to={paths.changeCertification(kind)}>{certification.change}</Link>
        </p>
      )}
      {(status === certificationStatus.rejected || status === certificationStatus.revoked) && why && (
        <p className="notice notice-warn">
          {certification.reasonLabel}
          {colon({ locale })}
          {why}
        </p>
      )}
      {status === certificationStatus.changing && <p className="small soft">{certification.changing}</p>}
      {found?.submittedAt && status !== certificationStatus.unsubmitted && (
        <p className="small faint num">{certification.submittedOn(minute(found.submittedAt))}</p>
      )}
      {bar ? (
        <p className="small faint">{bar}</p>
      ) : (
        <p>
          <Link
            className={
              status === certificationStatus.unsubmitted || status === certificationStatus.rejected
                ? 'button button-primary button-small'
                : 'button button-small'
            }
            to={paths.certificationOf(kind)}
            aria-label={`${action}${colon({ locale })}${certification.kinds[kind]}`}
          >
            {action}
          </Link>
        </p>
      )}
    </section>
  )
}
