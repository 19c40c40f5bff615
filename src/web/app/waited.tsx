import { fromMoment, hourMs } from '#shared/calendar.ts'
import { useText } from './text.tsx'
import { Tag } from '../ui/parts.tsx'

/** How long something has waited for the platform. After a day the wait is marked, after two it is marked as too long. */
export function Waited({ since }: { since: string }) {
  const { waited } = useText().list.review
  const hours = Math.max(0, Math.floor((Date.now() - fromMoment(since).getTime()) / hourMs))
  return <Tag tone={hours >= 48 ? 'bad' : hours >= 24 ? 'warn' : 'plain'}>{waited(Math.floor(hours / 24), hours % 24)}</Tag>
}
