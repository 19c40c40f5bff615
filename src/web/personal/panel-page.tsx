import { paths } from '#shared/paths.ts'
import { FirstSteps } from '../app/first-steps.tsx'
import { mayIn, roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { LatestMessages } from '../statistics/latest-messages.tsx'
import { TodoList } from '../statistics/todo-list.tsx'
import { WorkCalendar } from '../statistics/work-calendar.tsx'
import { WorkFigures } from '../statistics/work-figures.tsx'
import { Head } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

/** What is to be done today, the figures with their course, the next two weeks, and the newest messages; for a driver the messages alone. */
export default function PanelPage() {
  const text = useText()
  const { personal } = text.account
  const site = useSiteName()
  const session = useSession()
  const role = roleIn(session)
  const isDriver = role === 'driver'
  const hasBusiness = role !== null && !isDriver
  return (
    <div className="stack">
      <Head title={personal.panel} site={site} index={false} />
      <header className="row between">
        <h1>{personal.hello(session.info?.user.nickName ?? '')}</h1>
        {mayIn(session, 'demand:edit') && (
          <Link className="button button-primary" to={paths.addDemand()}>
            {text.demand.own.publish}
          </Link>
        )}
        {role === 'leaser' && (
          <Link className="button button-primary" to={paths.addMachine}>
            {text.equipment.upload.title}
          </Link>
        )}
      </header>
      {isDriver && (
        <p className="notice" role="status">
          <strong>{text.personal.driver.title}</strong> {text.personal.driver.text}
        </p>
      )}
      <FirstSteps />
      {!isDriver && <TodoList />}
      {hasBusiness && <WorkFigures />}
      <div className="dashboard">
        {hasBusiness && <WorkCalendar />}
        <LatestMessages />
      </div>
    </div>
  )
}
