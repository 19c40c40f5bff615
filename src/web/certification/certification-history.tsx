import type { Certification } from '#shared/certification/contract.ts'
import { minute } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { noteOf } from './certification-reason.ts'

/** The events of a certification, in the panel that its page and its review share. */
export function CertificationHistory({ events }: { events: Certification['events'] }) {
  const { certification } = useText()
  return (
    <section className="panel">
      <h2>{certification.timeline}</h2>
      <ol className="timeline">
        {events.map((event, index) => (
          <li key={index}>
            {certification.actions[event.action] ?? event.action} <span className="small faint num">{minute(event.at)}</span>
            {event.note && <p className="small soft">{noteOf(event, certification)}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
