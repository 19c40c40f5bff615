import { useQuery } from '@tanstack/react-query'
import { cancellationStatus } from '#shared/account/rules.ts'
import { blacklistStatus } from '#shared/blacklist/rules.ts'
import { fromMoment } from '#shared/calendar.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { contactStatus } from '#shared/contact/rules.ts'
import { feedbackStatus } from '#shared/feedback/rules.ts'
import { outboxStatus } from '#shared/outbox/rules.ts'
import { getOverview, type WaitingKind } from '#shared/system/contract.ts'
import { call } from '../app/api.ts'
import { minute, number } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { roleIn, useSession } from '../app/session.ts'
import { Loaded } from '../app/list-frame.tsx'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const linkOf: Record<WaitingKind, string> = {
  certification: paths.reviewsIn(certificationStatus.inReview),
  equipment: paths.equipmentReviews(),
  trusted: paths.equipmentReviews('?scope=trusted'),
  feedback: paths.adminFeedbackIn(feedbackStatus.received),
  contact: `${paths.contacts}?status=${contactStatus.waiting}`,
  cancellation: `${paths.cancellations}?status=${cancellationStatus.stopped}`,
  blacklist: paths.blacklist(`?status=${blacklistStatus.notified}`),
  outbox: `${paths.outbox}?status=${outboxStatus.failed}`,
  jobs: paths.jobs,
}

/** The work that waits, by duty and with its age, above the figures of the platform. */
export default function AdminHomePage() {
  const text = useText()
  const words = text.admin.overview
  const site = useSiteName()
  const session = useSession()
  const auditor = roleIn(session) === 'auditor'
  const title = auditor ? text.admin.auditorTitle : text.admin.title
  const overview = useQuery({
    queryKey: [getOverview.url, session.unread],
    queryFn: () => call(getOverview, {}),
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  })
  const hours = (since: string) => Math.max(0, Math.floor((Date.now() - fromMoment(since).getTime()) / 3_600_000))
  return (
    <div className="stack">
      <Head title={title} site={site} index={false} />
      <div>
        <h1>{title}</h1>
        {!auditor && <p className="soft">{words.lead}</p>}
      </div>
      {!auditor && (
        <section>
          <h2 className="mb-12">{words.waiting}</h2>
          <Loaded query={overview} rows={3}>
            {({ waiting }) =>
              waiting.length > 0 ? (
                <div className="form-grid">
                  {waiting.map(({ kind, count, oldest }) => (
                    <Link key={kind} className="task" to={linkOf[kind]}>
                      <span>
                        {words.kinds[kind]}
                        {oldest && (
                          <span className="small soft block" title={words.since(minute(oldest))}>
                            {words.waited(Math.floor(hours(oldest) / 24), hours(oldest) % 24)}
                          </span>
                        )}
                      </span>
                      <strong className="num">{count}</strong>
                    </Link>
                  ))}
                </div>
              ) : (
                <div className="panel">
                  <Empty title={words.nothing} />
                </div>
              )
            }
          </Loaded>
        </section>
      )}
      <section>
        <h2 className="mb-12">{auditor ? words.ownFigures : words.figures}</h2>
        <Loaded query={overview} rows={2}>
          {({ figures }) => (
            <dl className="figure-grid figure-quarters">
              {(Object.keys(words.figure) as (keyof typeof words.figure)[]).map((key) => (
                <div key={key} className="panel">
                  <dt className="small soft">{words.figure[key]}</dt>
                  <dd className="figure num">{number(figures[key])}</dd>
                </div>
              ))}
            </dl>
          )}
        </Loaded>
      </section>
    </div>
  )
}
