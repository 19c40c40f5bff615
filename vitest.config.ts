import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longestFirst } from './test/longest-first.ts'

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files))
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    // Journeys wait for the browser and tests for PostgreSQL as often as they compute: three at a time keep two cores busy. Four took as long.
    maxWorkers: 3,
    // What a test makes is gone when it ends: with more room for the young generation the collector copies less of it, a tenth of the work.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Each file has a database of its own; the modules hold nothing that another file could spoil.
          isolate: false,
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          setupFiles: ['test/same-cases.ts'],
          // Far above what any takes alone: a busy machine is slow, and a test that hangs still ends.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/e2e/*.e2e.ts'],
          // As above: each file has a product of its own, and leaves the browser as it was.
          isolate: false,
          // As above: the longest takes 75 s on two idle cores.
          testTimeout: 600_000,
          // On a busy machine a browser may be slower than a person would wait. The report names each journey that passed only the second time.
          retry: 1,
          expect: { poll: { timeout: 90_000 } },
          hookTimeout: 360_000,
        },
      },
    ],
  },
})
