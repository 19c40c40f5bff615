import { useQuery } from '@tanstack/react-query'
import { getOverview } from '#shared/system/contract.ts'
import { call } from '../app/api.ts'
import { number } from '../app/format.ts'
import { Loaded } from '../app/list-frame.tsx'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { LatestMessages } from '../statistics/latest-messages.tsx'
import { TodoList } from '../statistics/todo-list.tsx'
import { WorkCalendar } from '../statistics/work-calendar.tsx'
import { WorkFigures } from '../statistics/work-figures.tsx'
import { Head } from '../ui/parts.tsx'
import { AuditorDesk } from './auditor-desk.tsx'

/** The console's first page: for operators the work that waits for their duties, for auditors what is worth a check; below it the figures. */
export default function AdminHomePage() {
  const text = useText()
  const site = useSiteName()
  const isAuditor = roleIn(useSession()) === 'auditor'
  const title = isAuditor ? text.admin.auditorTitle : text.admin.title
  return (
    <div className="stack">
      <Head title={title} site={site} index={false} />
      <h1>{title}</h1>
      {isAuditor ? <AuditorDesk /> : <TodoList />}
      <WorkFigures />
      <PlatformFigures title={isAuditor ? text.admin.overview.ownFigures : text.admin.overview.figures} />
      <div className="dashboard">
        <WorkCalendar />
        <LatestMessages />
      </div>
    </div>
  )
}

function PlatformFigures({ title }: { title: string }) {
  const words = useText().admin.overview
  const { messageChanges } = useSession()
  // One question with the counters of the menu.
  const overview = useQuery({
    queryKey: [getOverview.url, messageChanges],
    queryFn: () => call(getOverview, {}),
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  })
  return (
    <section>
      <h2 className="mb-12">{title}</h2>
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
  )
}
