import type { Import } from '#shared/equipment/import.ts'
import { paths } from '#shared/paths.ts'
import { useText } from '../../app/text.tsx'
import { Link } from '../../ui/link.tsx'
import { Tag } from '../../ui/parts.tsx'
import './import-grid.css'

export type ImportRow = Import['rows'][number]
/** The edited cells alone, by row number: what a colleague has repaired in others stays. */
export type ImportChanges = Record<number, Record<string, string>>

/** The rows of a workbook. Cells with an error can be edited. */
export function ImportGrid({
  columns,
  rows,
  changes,
  onChange,
}: {
  columns: Import['columns']
  rows: readonly ImportRow[]
  changes: ImportChanges
  onChange: (row: ImportRow, column: string, value: string) => void
}) {
  const words = useText().equipment.imports
  return (
    <div className="scroll-x" tabIndex={0}>
      <table className="table import-grid">
        <thead>
          <tr>
            <th>{words.row}</th>
            <th>{words.problem}</th>
            {columns.map(({ key, label }) => (
              <th key={key}>{label}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <GridRow
              key={row.rowNo}
              row={row}
              columns={columns}
              cells={{ ...row.cells, ...changes[row.rowNo] }}
              onChange={(column, value) => onChange(row, column, value)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function GridRow({
  row,
  columns,
  cells,
  onChange,
}: {
  row: ImportRow
  columns: Import['columns']
  cells: Record<string, string>
  onChange: (column: string, value: string) => void
}) {
  const text = useText()
  const words = text.equipment.imports
  const problemOf = (column: string) => row.problems.find((problem) => problem.column === column)
  return (
    <tr>
      <td className="num">{row.rowNo}</td>
      <td className="small">
        {row.equipmentId !== null ? (
          <Link to={paths.editMachine(row.equipmentId)}>
            <Tag tone="blue">{words.added(1)}</Tag>
          </Link>
        ) : row.problems.length === 0 ? (
          <Tag tone="good">{words.good(1)}</Tag>
        ) : (
          <span className="field-error">{row.problems.length}</span>
        )}
      </td>
      {columns.map(({ key, label, choices }) => {
        const problem = problemOf(key)
        if (row.equipmentId !== null || !problem) return <td key={key}>{cells[key]}</td>
        const describe = `import-${row.rowNo}-${key}`
        return (
          <td key={key} className="import-bad">
            <input
              className="input"
              aria-label={`${label} ${words.row} ${row.rowNo}`}
              aria-invalid
              aria-describedby={describe}
              {...(choices && { list: `choices-${key}` })}
              value={cells[key] ?? ''}
              onChange={(event) => onChange(key, event.target.value)}
            />
            {choices && (
              <datalist id={`choices-${key}`}>
                {choices.map((choice) => (
                  <option key={choice} value={choice} />
                ))}
              </datalist>
            )}
            <span className="field-error small" id={describe}>
              {problem.message}
            </span>{' '}
            {problem.proposal !== null && problem.proposal !== cells[key] && (
              <button type="button" className="link small" onClick={() => onChange(key, problem.proposal ?? '')}>
                {words.propose(problem.proposal)}
              </button>
            )}
          </td>
        )
      })}
    </tr>
  )
}
