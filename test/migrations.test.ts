import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Migrations that were edited or renamed after their commit, from before this was tested. */
const editedBefore = [
  '0011_console',
  '0012_speed',
  '0015_search',
  '0068_change_record',
  '0069_contract_notice',
  '0086_contract_guards',
  '0087_account_stopped',
  '0093_asked_lists',
  '0100_sorted_contracts',
  '0101_demand_facts',
  '0119_joined_demand_news',
  '0188_counted_in_a_day',
].map((name) => `db/migrations/${name}.sql`)

test('a migration that was committed is neither edited nor renamed, because a database where it ran would refuse the start', ({ skip }) => {
  const changed = ['--no-renames', '--diff-filter=MD', '--name-only', '--', 'db/migrations']
  // What was committed as a change, and what would be. A shallow clone lists as much of it as it has.
  const listed = [
    ['log', '--format='],
    ['diff', 'HEAD'],
  ].map((command) => spawnSync('git', [...command, ...changed], { cwd: root, encoding: 'utf8' }))
  const failure = listed.find(({ status }) => status !== 0)
  skip(failure !== undefined, `git gives no history: ${failure?.error?.message ?? failure?.stderr}`)
  const edited = listed.flatMap(({ stdout }) => stdout.split('\n')).filter((path) => path && !editedBefore.includes(path))
  expect(edited).toEqual([])
})
