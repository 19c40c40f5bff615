import { WorkPanel } from './work-panel.tsx'

export default function PanelPage() {
  return <WorkPanel />
}
