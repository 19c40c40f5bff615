import { useState } from 'react'
import { matchContractScan, maxScans, uploadContractScan, uploadScanFile } from '#shared/contract/moves.ts'
import { paperTypes } from '#shared/file/rules.ts'
import { call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { useText } from '../../app/text.tsx'
import { useDialogDraft } from '../../app/use-dialog-draft.ts'
import { useFields } from '../../app/use-form.ts'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { FileThumbnail } from '../../file/private-file.tsx'
import { SelectField, TextareaField } from '../../ui/form-fields.tsx'
import { toast } from '../../ui/toast.tsx'
import { closeOutdated, refreshContracts, type AboutContract } from './contract-calls.ts'
import { FileList, type ListedFile } from '../../file/file-list.tsx'

/** Submits the scan of the sealed document; the other side then compares it. */
export function ScanDialog({ contract, onClose }: AboutContract) {
  const words = useText().contract
  const { pages } = words
  const [{ files }, setValues, forget] = useDialogDraft<{ files: readonly ListedFile[] }>(`contract-scan-${contract.id}`, { files: [] })
  const form = useFields(uploadContractScan.body, {})
  const send = async (body: { fileIds: string[] }) => {
    await call(uploadContractScan, { params: { id: contract.id }, body })
    forget()
    toast('success', pages.uploaded)
    onClose()
    await refreshContracts()
  }
  const submit = () => {
    if (files.length === 0) form.setErrors({ fileIds: pages.uploadNeeded })
    else void form.submit(send, { fileIds: files.map(({ fileId }) => fileId) }, () => closeOutdated(onClose))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.action.scan}
      kind="info"
      action={words.action.scan}
      busy={form.busy}
      onConfirm={submit}
    >
      <FileList
        label={pages.scans}
        hint={pages.scanHint}
        required
        max={maxScans}
        accept={paperTypes.join()}
        to={uploadScanFile}
        files={files}
        error={form.errors.fileIds}
        onChange={(next) => {
          setValues({ files: next })
          form.clear('fileIds')
        }}
      />
    </ConfirmDialog>
  )
}

/** Says whether the scan of the other side is the same as the confirmed text, with a reason where it is not. */
export function MatchScanDialog({ contract, onClose }: AboutContract) {
  const words = useText().contract
  const { pages } = words
  const form = useDraftFields(matchContractScan.body, { agrees: true, reason: '' }, `contract-scan-match-${contract.id}`)
  const { agrees, reason } = form.values
  // Those that were compared: the page behind reads the contract anew now and then, and the other side may have replaced them.
  const [scans] = useState(contract.scans)
  const fileIds = scans.map((scan) => scan.id)
  const send = async () => {
    await call(matchContractScan, { params: { id: contract.id }, body: { agrees, reason: agrees ? '' : reason, fileIds } })
    toast('success', agrees ? pages.matched : pages.refused)
    onClose()
    await refreshContracts()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.action.matchScan}
      kind={agrees ? 'info' : 'warning'}
      action={agrees ? pages.same : pages.differs}
      busy={form.busy}
      onConfirm={() => void form.submit(send, { fileIds }, () => closeOutdated(onClose))}
    >
      <p>{pages.matchAsk}</p>
      <p className="row">
        {scans.map(({ id, name, mime }) => (
          <FileThumbnail key={id} fileId={id} mime={mime} label={name} />
        ))}
      </p>
      <SelectField
        label={words.action.matchScan}
        value={agrees ? 'same' : 'differs'}
        onChange={(answer) => form.set('agrees')(answer === 'same')}
        options={[
          ['same', pages.same],
          ['differs', pages.differs],
        ]}
      />
      {!agrees && (
        <TextareaField
          label={pages.differsReason}
          hint={pages.differsHint}
          required
          maxLength={500}
          value={reason}
          onChange={form.set('reason')}
          error={form.errors.reason}
        />
      )}
    </ConfirmDialog>
  )
}
