/**
 * The files that take longest, the longest first. The tests without a browser near the top fill the time in which the first journey makes the
 * demo market that the others wait for.
 */
export const longest = [
  'test/e2e/console.e2e.ts',
  'test/hostile.test.ts',
  'src/server/contract/contract-print.test.ts',
  'src/server/contract/prints.test.ts',
  'src/server/sealed.test.ts',
  'src/server/setup.test.ts',
  'test/e2e/pages.e2e.ts',
  'test/e2e/amendments.e2e.ts',
  'test/e2e/workbench.e2e.ts',
  'test/e2e/main-job.e2e.ts',
  'test/e2e/organization.e2e.ts',
  'test/e2e/typed.e2e.ts',
  'test/e2e/navigation.e2e.ts',
  'test/e2e/connection.e2e.ts',
  'test/e2e/accounts.e2e.ts',
  'test/e2e/session.e2e.ts',
  'test/e2e/shell.e2e.ts',
  'test/e2e/security.e2e.ts',
  'test/e2e/contract.e2e.ts',
  'test/e2e/direct.e2e.ts',
  'test/e2e/',
  'src/server/equipment/import.test.ts',
  'src/server/contract/lapse.test.ts',
  'src/server/list-plans.test.ts',
  'src/server/account/guessing.test.ts',
]

/**
 * They begin before all others, so that none is left running alone at the end; the others stay in their order. All journeys are together,
 * because a worker ends where a journey follows a test without a browser.
 */
export function longestFirst<T extends { moduleId: string }>(files: readonly T[]): T[] {
  const rank = ({ moduleId }: T) => {
    const at = longest.findIndex((path) => moduleId.includes(`/${path}`))
    return at < 0 ? longest.length : at
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}
