import { giveContractNotice, maxNoticeFiles } from '#shared/contract/notice.ts'
import { paperTypes } from '#shared/file/rules.ts'
import { call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { useText } from '../../app/text.tsx'
import { useDialogDraft } from '../../app/use-dialog-draft.ts'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { TextareaField } from '../../ui/form-fields.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { closeOutdated, refreshContracts, type AboutContract } from './contract-calls.ts'
import { FileList, type ListedFile } from '../../file/file-list.tsx'

/** Gives notice that the own side ends the contract. It is passed on and kept, and changes nothing by itself. */
export function NoticeDialog({ contract, onClose }: AboutContract) {
  const { action } = useText().contract
  const words = useAmendmentWords().notice
  const draft = `contract-notice-${contract.id}`
  const [{ files }, setValues, forget] = useDialogDraft<{ files: readonly ListedFile[] }>(`${draft}-files`, { files: [] })
  const form = useDraftFields(giveContractNotice.body, { reason: '' }, draft)
  const send = async (body: { reason: string; fileIds?: string[] | undefined }) => {
    await call(giveContractNotice, { params: { id: contract.id }, body })
    forget()
    toast('success', words.sent)
    onClose()
    await refreshContracts()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={action.notice}
      kind="warning"
      action={words.send}
      busy={form.busy}
      onConfirm={() => void form.submit(send, { fileIds: files.map(({ fileId }) => fileId) }, () => closeOutdated(onClose))}
    >
      <p>{words.ask}</p>
      <TextareaField
        label={words.reason}
        required
        maxLength={500}
        value={form.values.reason}
        onChange={form.set('reason')}
        error={form.errors.reason}
      />
      <FileList
        label={words.files}
        hint={words.filesHint}
        max={maxNoticeFiles}
        accept={paperTypes.join()}
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
