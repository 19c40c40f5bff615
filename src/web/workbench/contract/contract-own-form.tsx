import { useState } from 'react'
import type { Contract } from '#shared/contract/contract.ts'
import { attachOwnForms, maxOwnForms, uploadScanFile } from '#shared/contract/moves.ts'
import { formTypes } from '#shared/file/rules.ts'
import { ApiError, call } from '../../app/api.ts'
import { useText } from '../../app/text.tsx'
import { useLatest } from '../../app/use-latest.ts'
import { toast } from '../../ui/toast.tsx'
import { refreshContracts } from './contract-calls.ts'
import { FileList, type ListedFile } from '../../file/file-list.tsx'

const filesOf = ({ forms }: Pick<Contract, 'forms'>): ListedFile[] => forms.map(({ id, name, mime }) => ({ fileId: id, name, mime }))

/** Attaches the own form of the unit to a draft. Files are saved as they are added and removed. */
export function OwnFormField({
  contract,
  version,
  busy,
  onBusy,
  onSaved,
  onOvertaken,
}: {
  contract: Contract
  version: number
  /** While another save of the draft is under way, whose version is not known yet. */
  busy: boolean
  /** Gets true while files are sent and saved: a save of the draft in between would replace the version that they are saved to. */
  onBusy: (isSaving: boolean) => void
  onSaved: (version: number) => void
  onOvertaken: () => void
}) {
  const words = useText().contract.pages.ownForm
  const [error, setError] = useState('')
  // Files that took a while to arrive are saved to the draft as it is then.
  const latestVersion = useLatest(version)
  const attach = async (files: readonly ListedFile[]) => {
    setError('')
    try {
      const body = { version: latestVersion(), fileIds: files.map(({ fileId }) => fileId) }
      const saved = await call(attachOwnForms, { params: { id: contract.id }, body })
      onSaved(saved.version)
      toast('success', words.saved)
    } catch (refused) {
      if (!(refused instanceof ApiError)) throw refused
      if (refused.code === 409) onOvertaken()
      else setError(refused.fields[0]?.message ?? refused.message)
    }
    await refreshContracts()
  }
  const save = (files: readonly ListedFile[]) => {
    onBusy(true)
    return attach(files).finally(() => onBusy(false))
  }
  return (
    <section className="panel stack">
      <h2>{words.title}</h2>
      <FileList
        label={words.files}
        hint={words.hint}
        max={maxOwnForms}
        accept={formTypes.join()}
        to={uploadScanFile}
        files={filesOf(contract)}
        error={error || undefined}
        busy={busy}
        onSending={onBusy}
        onChange={save}
      />
    </section>
  )
}

/** The own form of the lessee's unit, for both sides, with the hashes that the text names. */
export function OwnFormList({ contract }: { contract: Contract }) {
  const words = useText().contract.pages.ownForm
  return (
    <section className="panel stack">
      <h2>{words.listTitle}</h2>
      {contract.forms.length === 0 ? (
        <p className="soft">{words.none}</p>
      ) : (
        <>
          <p className="small soft">{words.lead}</p>
          <FileList label={words.files} files={filesOf(contract)} />
          <ul className="small">
            {contract.forms.map(({ id, name, sha256 }) => (
              <li key={id}>
                {name}
                <span className="hash block">{sha256}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
