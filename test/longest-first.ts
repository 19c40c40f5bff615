/** The journeys that take longest, the longest first. */
export const longest = ['console', 'workbench', 'pages', 'accounts', 'session', 'main-job', 'site', 'organization', 'clock']

/** They begin before all others, so that none is left running alone at the end; the others stay in their order. */
export function longestFirst<T extends { moduleId: string }>(files: readonly T[]): T[] {
  const rank = ({ moduleId }: T) => {
    const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.e2e.ts`))
    return at < 0 ? longest.length : at
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}
