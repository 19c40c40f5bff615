import { useState } from 'react'
import type { printContractChange } from '#shared/contract/changes.ts'
import type { printContract } from '#shared/contract/contract.ts'
import { download } from '../app/api.ts'
import { useText } from '../app/text.tsx'

/** Downloads the PDF of a contract or of an amendment: `of` is the call that makes it. A refusal is shown by the call. */
export function PdfButton({ of, id }: { of: typeof printContract | typeof printContractChange; id: number }) {
  const { pages } = useText().contract
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    await download(of, { params: { id } }).catch(() => undefined)
    setBusy(false)
  }
  return (
    <button type="button" className="button button-small no-print" aria-disabled={busy} onClick={() => void make()}>
      {busy ? pages.pdfMaking : pages.pdf}
    </button>
  )
}
