import { useState } from 'react'
import { countContractEvidence, exportContractEvidence } from '#shared/contract/contract.ts'
import { call, download } from '../../app/api.ts'
import { useText } from '../../app/text.tsx'

async function downloadParts(id: number): Promise<void> {
  const { parts } = await call(countContractEvidence, { params: { id } })
  for (let part = 1; part <= parts; part++) await download(exportContractEvidence, { params: { id }, query: { part } })
}

/** Downloads the evidence pack of a contract. A refusal is shown by the call. */
export function EvidenceButton({ id }: { id: number }) {
  const words = useText().contract.record.evidence
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    await downloadParts(id).catch(() => undefined)
    setBusy(false)
  }
  return (
    <button type="button" className="button button-small no-print" aria-disabled={busy} onClick={() => void make()}>
      {busy ? words.making : words.action}
    </button>
  )
}
