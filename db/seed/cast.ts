export const demoPassword = 'Zhuji@2026'

/** The sign-ins of the demo market, printed at the start and offered on the sign-in page of a demo. */
export const demoSignIns = [
  { userName: 'operator', kind: 'operator' },
  { userName: 'auditor', kind: 'auditor' },
  { userName: 'lessee', kind: 'lessee' },
  { userName: 'project', kind: 'project' },
  { userName: 'lessor', kind: 'lessor' },
  { userName: 'lessor2', kind: 'lessor2' },
  { userName: 'driver', kind: 'driver' },
  { userName: 'newcomer', kind: 'newcomer' },
] as const
