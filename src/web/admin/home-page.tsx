import { useText } from '../text.tsx'
import { WorkPanel } from '../work-panel.tsx'

/** What waits for the people who run the platform. */
export default function AdminHomePage() {
  const { admin } = useText().personal
  return <WorkPanel title={admin.title} />
}
