import type { OwnMachine } from '#shared/equipment/own.ts'
import { useText } from '../app/text.tsx'
import { Timeline } from '../app/timeline.tsx'

/** The events of a machine, in the panel that its page and its review share. */
export function MachineHistory({ events }: { events: OwnMachine['events'] }) {
  const words = useText().equipment.upload
  if (events.length === 0) return null
  return (
    <section className="panel">
      <h2>{words.sections.history}</h2>
      <Timeline
        steps={events.map(({ id, move, at, note }) => ({
          key: id,
          title: words.move[move] ?? move,
          at,
          // The note of a change lists its fields, which stand above.
          note: move === 'change' ? null : note,
        }))}
      />
    </section>
  )
}
