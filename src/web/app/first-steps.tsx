import { useQuery } from '@tanstack/react-query'
import { getFirstSteps, type FirstStep } from '#shared/account/first-steps.ts'
import { paths } from '#shared/paths.ts'
import { call } from './api.ts'
import { roleIn, useSession } from './session.ts'
import { useOwnText } from './own-text.ts'
import { Link } from '../ui/link.tsx'
import './first-steps.css'

const linkOf: Record<FirstStep, string> = {
  certify: paths.certification,
  machine: paths.addMachine,
  shelf: paths.ownMachines,
  quote: paths.market(),
  project: paths.addProject(),
  person: paths.addPerson(),
  demand: paths.addDemand(),
  award: paths.ownDemands(),
}

/** Leads somebody new from step to step. Whoever has done them all, or has none, sees nothing. */
export function FirstSteps() {
  const words = useOwnText().firstSteps
  const session = useSession()
  const role = roleIn(session)
  // It stands beside the tasks, which have their own error state; without an answer it stays away.
  const { data: steps = [] } = useQuery({
    queryKey: [getFirstSteps.url, role, session.messageChanges],
    queryFn: () => call(getFirstSteps, {}, true),
  })
  const next = steps.find(({ done }) => !done)
  if (!next) return null
  return (
    <section className="panel first-steps" aria-labelledby="first-steps">
      <div className="row between">
        <h2 id="first-steps">{words.title}</h2>
        <span className="soft num">{words.done(steps.filter(({ done }) => done).length, steps.length)}</span>
      </div>
      <ol>
        {steps.map(({ step, done }) => (
          <li key={step} aria-current={step === next.step ? 'step' : undefined} data-done={done || undefined}>
            <span>
              <strong>{words.steps[step].title}</strong>
              {done ? (
                <span className="visually-hidden"> {words.isDone}</span>
              ) : (
                <span className="small soft">{words.steps[step].hint}</span>
              )}
            </span>
            {!done && (
              <Link className={`button button-small${step === next.step ? ' button-primary' : ''}`} to={linkOf[step]}>
                {words.steps[step].action}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
