import { FirstSteps } from '../app/first-steps.tsx'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { LatestMessages } from '../statistics/latest-messages.tsx'
import { TodoList } from '../statistics/todo-list.tsx'
import { WorkCalendar } from '../statistics/work-calendar.tsx'
import { WorkFigures } from '../statistics/work-figures.tsx'
import { Head } from '../ui/parts.tsx'

/** What is to be done today, the figures with their course, the next two weeks, and the newest messages. */
export default function PanelPage() {
  const { personal } = useText().account
  const site = useSiteName()
  const session = useSession()
  const isCertified = roleIn(session) !== null
  return (
    <div className="stack">
      <Head title={personal.panel} site={site} index={false} />
      <h1>{personal.hello(session.info?.user.nickName ?? '')}</h1>
      <FirstSteps />
      <TodoList />
      {isCertified && <WorkFigures />}
      <div className="dashboard">
        {isCertified && <WorkCalendar />}
        <LatestMessages />
      </div>
    </div>
  )
}
