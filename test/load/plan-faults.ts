// What is wrong with the way in which a list finds its rows (decision 50), told from the plan of its statements.
import { rowsRead, type PlanNode } from './database-time.ts'

/** The table that a list is about, with its size, and how many rows fit the question. */
type Judged = { table: string; size: number; fits: number }

/** A filter finds its rows by an index: what is read is what fits, or a part of the table that the other filters are applied to. */
const boundOf = ({ size, fits }: Judged) => Math.max(size / 4, fits * 1.3) + 50

/** Empty where no step goes through the table from end to end, reads much more than what fits, or sorts it. */
export function planFaults(plan: readonly PlanNode[], judged: Judged): string[] {
  const bound = boundOf(judged)
  return plan
    .filter((node) => node['Actual Loops'] > 0)
    .flatMap((node) => {
      const name = [node['Node Type'], node['Index Name']].filter(Boolean).join(' ')
      if (node['Relation Name'] === judged.table) {
        // Where all rows fit, all are counted.
        if (node['Node Type'] === 'Seq Scan' && judged.fits * 1.3 < judged.size) return [`${name} of ${judged.table}`]
        if (rowsRead(node) > bound) return [`${name} reads ${rowsRead(node)} rows where ${judged.fits} fit`]
      }
      const sorted = node['Node Type'].includes('Sort') ? (node.Plans?.[0]?.['Actual Rows'] ?? 0) : 0
      return sorted > bound ? [`${name} of ${sorted} rows where ${judged.fits} fit`] : []
    })
}
