import type { TakenDays } from '#shared/contract/changes.ts'
import { paths } from '#shared/paths.ts'
import { machineName } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Link } from '../../ui/link.tsx'
import { useAmendmentWords } from './amendment-words.ts'

/** Machines of the same lessor that could be hired for the days that another hire has. */
export function SimilarMachines({ similar }: Pick<TakenDays, 'similar'>) {
  const text = useText()
  const words = useAmendmentWords()
  if (similar.length === 0) return <p className="small">{words.noSimilar}</p>
  return (
    <>
      <p className="small">{words.similar}</p>
      <ul>
        {similar.map((machine) => (
          <li key={machine.id}>
            <Link to={paths.machine(machine.id)}>{machineName(text, machine)}</Link>{' '}
            <span className="small soft num">{machine.equipmentCode}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
