import { useState } from 'react'
import { matchContractScan, maxScans, uploadContractScan, uploadScanFile } from '#shared/contract/moves.ts'
import { paperTypes } from '#shared/file/rules.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { useText } from '../../app/text.tsx'
import { useDialogDraft } from '../../app/use-dialog-draft.ts'
import { useFields } from '../../app/use-form.ts'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { SelectField, TextareaField } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { toast } from '../../ui/toast.tsx'
import { closeOutdated, refreshContracts, type AboutContract } from './contract-calls.ts'
import { replacesScan } from './contract-status.ts'
import { FileList, type ListedFile } from '../../file/file-list.tsx'

/** Submits the scan of the sealed document; the other side then compares it. */
export function ScanDialog({ contract, onClose }: AboutContract) {
  const words = useText().contract
  const { pages } = words
  // The version is kept with the files: it stays theirs where a newer one is made meanwhile.
  const [values, setValues, forget] = useDialogDraft<{ files: readonly ListedFile[]; revision: number }>(`contract-scan-${contract.id}`, {
    files: [],
    revision: 0,
  })
  const { files } = values
  const revision = values.revision || contract.revision
  const form = useFields(uploadContractScan.body, {})
  const send = async (body: { fileIds: string[] }) => {
    await call(uploadContractScan, { params: { id: contract.id }, body })
    forget()
    toast('success', pages.uploaded)
    onClose()
    await refreshContracts()
  }
  const replaces = replacesScan(contract)
  const label = replaces ? pages.scanAgain : words.action.scan
  const submit = () => {
    if (files.length === 0) form.setErrors({ fileIds: pages.uploadNeeded })
    else void form.submit(send, { fileIds: files.map(({ fileId }) => fileId), revision }, () => closeOutdated(onClose))
  }
  return (
    <ConfirmDialog open onClose={onClose} title={label} kind="info" action={label} busy={form.busy} onConfirm={submit}>
      {replaces && <p>{pages.scanReplaces}</p>}
      {contract.revision > 1 && (
        <SelectField
          label={pages.scanVersion}
          value={String(revision)}
          onChange={(chosen) => setValues({ files, revision: Number(chosen) })}
          options={Array.from({ length: contract.revision }, (_, index) => contract.revision - index).map((one) => [
            String(one),
            pages.textOf(one),
          ])}
        />
      )}
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
          setValues({ files: next, revision })
          form.clear('fileIds')
        }}
      />
    </ConfirmDialog>
  )
}

/** Says whether the scan of the other side is the same as the text of its version, with a reason where it is not. */
export function MatchScanDialog({ contract, onClose }: AboutContract) {
  const text = useText()
  const words = text.contract
  const { pages } = words
  // Those that are compared: the page behind reads the contract anew now and then, and the other side may have replaced them.
  const [{ scans, scanRevision }] = useState(contract)
  const revision = scanRevision ?? contract.revision
  const fileIds = scans.map((scan) => scan.id)
  // Nothing is chosen before the person has compared these.
  const blank: { agrees: boolean | null; reason: string } = { agrees: null, reason: '' }
  const form = useDraftFields(matchContractScan.body, blank, `contract-scan-match-${contract.id}-${fileIds.join('-')}`)
  const { agrees, reason } = form.values
  const send = async (body: { agrees: boolean }) => {
    await call(matchContractScan, { params: { id: contract.id }, body: { ...body, reason: agrees ? '' : reason, fileIds, revision } })
    toast('success', agrees ? pages.matched : pages.refused)
    onClose()
    await refreshContracts()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.action.matchScan}
      kind={agrees === false ? 'warning' : 'info'}
      action={agrees === null ? pages.matchSend : agrees ? pages.same : pages.differs}
      busy={form.busy}
      onConfirm={() => void form.submit(send, { fileIds, revision }, () => closeOutdated(onClose))}
    >
      <p>{pages.matchAsk}</p>
      <FileList
        label={pages.scanOf(revision)}
        hint={pages.scanOpens}
        files={scans.map(({ id, name, mime }) => ({ fileId: id, name, mime }))}
      />
      <p>
        <Link className="link" to={paths.contractText(contract.id, revision)} target="_blank">
          {pages.textOf(revision)}
        </Link>
      </p>
      <SelectField
        label={pages.matchResult}
        required
        value={agrees === null ? '' : agrees ? 'same' : 'differs'}
        blank={text.site.common.choose}
        error={form.errors.agrees}
        onChange={(answer) => form.set('agrees')(answer === '' ? null : answer === 'same')}
        options={[
          ['same', pages.same],
          ['differs', pages.differs],
        ]}
      />
      {agrees === false && (
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
