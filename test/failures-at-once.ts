import type { Reporter, TestCase } from 'vitest/node'

/** Prints each failure when it happens, the default reporter prints them at the end: who ends a run early, or reads along, knows them. */
export default class FailuresAtOnce implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    if (errors.length === 0) return
    // A test that passed has the errors of its first try.
    const outcome = state === 'passed' ? 'passed only at the second try' : 'failed'
    const said = errors.map(({ message, stack }) => (stack ?? message).replaceAll(/^.*\/node_modules\/.*\n?/gm, ''))
    process.stdout.write(`\n${outcome}: ${test.module.relativeModuleId} > ${test.fullName}\n${said.join('\n')}\n\n`)
  }
}
