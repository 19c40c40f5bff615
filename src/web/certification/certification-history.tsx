import type { Certification } from '#shared/certification/contract.ts'
import { useText } from '../app/text.tsx'
import { Timeline } from '../app/timeline.tsx'
import { noteOf } from './certification-reason.ts'

/** The events of a certification, in the panel that its page and its review share. */
export function CertificationHistory({ events }: { events: Certification['events'] }) {
  const { certification } = useText()
  return (
    <section className="panel">
      <h2>{certification.timeline}</h2>
      <Timeline
        steps={events.map((event, index) => ({
          key: index,
          title: certification.actions[event.action] ?? event.action,
          at: event.at,
          note: event.note && noteOf(event, certification),
        }))}
      />
    </section>
  )
}
