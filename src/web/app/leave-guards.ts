/** Resolves to false where the person stays on the page instead of leaving it for that address. */
type Guard = (to: string) => Promise<boolean>

const guards = new Set<Guard>()

/** Has the guard asked before somebody signs out. Returns the function that ends it. */
export function addLeaveGuard(guard: Guard): () => void {
  guards.add(guard)
  return () => guards.delete(guard)
}

/** Asks the guards of the open page whether it may be left for that address, while its session is still there. */
export async function mayLeaveFor(to: string): Promise<boolean> {
  for (const guard of guards) if (!(await guard(to))) return false
  return true
}
