import { dayMs } from '#shared/calendar.ts'
import { paths } from '#shared/paths.ts'
import type { Services } from '../services.ts'

/** RFC 9116 recommends less than a year. */
const validDays = 180

/** Where weaknesses are reported, for /.well-known/security.txt (RFC 9116). It is made anew each time, so it does not run out. */
export function securityText({ config, clock }: Pick<Services, 'config' | 'clock'>, origin: string): string {
  const midnight = Math.floor(clock.now().getTime() / dayMs) * dayMs
  return [
    `Contact: ${config.securityContact ?? `${origin}${paths.contact}`}`,
    `Expires: ${new Date(midnight + validDays * dayMs).toISOString().slice(0, 19)}Z`,
    'Preferred-Languages: zh, en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}
