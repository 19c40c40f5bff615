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
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Each file has a database of its own; the modules hold nothing that another file could spoil.
          isolate: false,
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // Journeys mostly wait for the browser: five at a time keep two cores busy.
        test: {
          name: 'journeys',
          include: ['test/e2e/*.e2e.ts'],
          testTimeout: 180_000,
          expect: { poll: { timeout: 20_000 } },
          hookTimeout: 120_000,
          maxWorkers: 5,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
