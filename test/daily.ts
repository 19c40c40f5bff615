import { clockJobs, runJob, type ClockJob } from '#server/jobs/clock-jobs.ts'
import type { Services } from '#server/services.ts'

/** One round of each job whose work depends on the day, as the clock runs them. */
export async function daily(services: Services): Promise<void> {
  for (const name of Object.keys(clockJobs) as ClockJob[]) if (clockJobs[name].every >= 600) await runJob(services, name)
}
