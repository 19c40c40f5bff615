import { mostGroups, type Figures, type Group, type ReportGroup } from '#shared/statistics/report.ts'
import { percent } from '../../app/figure-tile.tsx'
import { money, number } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Link } from '../../ui/link.tsx'
import './statistics.css'

type GroupTableProps = {
  groups: readonly Group[]
  /** The whole period: the sums of the groups would count a demand with two categories twice. */
  total: Figures | undefined
  by: ReportGroup
  name: (group: Group) => string
  picked: string | null
  to: (group: Group) => string
  /** Opens a unit into its sub-units; null where the group opens into none. */
  drill: (group: Group) => string | null
}

type Row = Pick<Group, 'demands' | 'awarded' | 'machines' | 'quotes' | 'rent' | 'net' | 'savedOnMean'>

/** The groups with their figures and the total of the period. */
export function GroupTable({ groups, total, by, name, picked, to, drill }: GroupTableProps) {
  const words = useText().statistics
  const most = Math.max(1, ...groups.map(({ demands }) => demands))
  const columns: [string, (row: Row) => string][] = [
    [words.figures.demands, (row) => number(row.demands)],
    [words.figures.awarded, (row) => number(row.awarded)],
    [words.figures.machines, (row) => number(row.machines)],
    ...(by === 'category' ? [] : ([[words.figures.quotes, (row) => number(row.quotes ?? 0)]] as [string, (row: Row) => string][])),
    [words.figures.rent, (row) => money(row.rent)],
    [words.figures.net, (row) => money(row.net)],
    [words.figures.savedOnMean, (row) => (row.savedOnMean === null ? '—' : percent(row.savedOnMean))],
  ]
  const cells = (row: Row) =>
    columns.map(([label, value]) => (
      <td key={label} data-label={label} className="right num">
        {value(row)}
      </td>
    ))
  return (
    <>
      <div className="scroll-x" tabIndex={0} role="group" aria-label={words.by[by]}>
        <table className="table cards-on-phone">
          <thead>
            <tr>
              <th>{words.charts.label[by]}</th>
              {columns.map(([label]) => (
                <th key={label} className="right">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.key} className={group.key === picked ? 'row-picked' : undefined}>
                <td className="whole">
                  <Link
                    to={to(group)}
                    preventScrollReset
                    aria-label={words.open(name(group))}
                    aria-current={group.key === picked ? 'true' : undefined}
                  >
                    {name(group)}
                  </Link>
                  <Drill to={drill(group)} />
                  <span className="bar" aria-hidden="true">
                    <span style={{ width: `${(group.demands / most) * 100}%` }} />
                  </span>
                </td>
                {cells(group)}
              </tr>
            ))}
          </tbody>
          {total && (
            <tfoot>
              <tr>
                <th scope="row" className="whole">
                  {words.total}
                </th>
                {cells(total)}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {groups.length >= mostGroups[by] && <p className="small faint">{words.groupsCut(mostGroups[by])}</p>}
      {(by === 'category' || by === 'lessor') && <p className="small faint">{words.totalHint}</p>}
    </>
  )
}

function Drill({ to }: { to: string | null }) {
  const words = useText().statistics
  return (
    to !== null && (
      <Link className="small drill" to={to}>
        {words.drill}
      </Link>
    )
  )
}
