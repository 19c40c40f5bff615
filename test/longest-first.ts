/** The files that take longest, the longest first: journeys, then tests without a browser. */
export const longest = [
  'test/e2e/console.e2e.ts',
  'test/e2e/contract.e2e.ts',
  'test/e2e/pages.e2e.ts',
  'test/e2e/workbench.e2e.ts',
  'test/e2e/accounts.e2e.ts',
  'test/e2e/amendments.e2e.ts',
  'test/e2e/navigation.e2e.ts',
  'test/e2e/site.e2e.ts',
  'test/e2e/session.e2e.ts',
  'test/e2e/typed.e2e.ts',
  'test/e2e/connection.e2e.ts',
  'test/e2e/security.e2e.ts',
  'test/e2e/errors.e2e.ts',
  'test/e2e/main-job.e2e.ts',
  'test/e2e/direct.e2e.ts',
  'test/e2e/organization.e2e.ts',
  'test/e2e/finding.e2e.ts',
  'test/e2e/shell.e2e.ts',
  'src/server/sealed.test.ts',
  'src/server/contract/contract-print.test.ts',
  'test/hostile.test.ts',
  'src/server/equipment/import.test.ts',
  'src/server/setup.test.ts',
  'src/server/main.test.ts',
]

/** They begin before all others, so that none is left running alone at the end; the others stay in their order. */
export function longestFirst<T extends { moduleId: string }>(files: readonly T[]): T[] {
  const rank = ({ moduleId }: T) => {
    const at = longest.findIndex((path) => moduleId.endsWith(`/${path}`))
    return at < 0 ? longest.length : at
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}
