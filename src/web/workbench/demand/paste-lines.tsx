import { useState } from 'react'
import { dayOf } from '#shared/calendar.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { useText } from '../../app/text.tsx'
import { useDialogDraft } from '../../app/use-dialog-draft.ts'
import { useCategoryTree } from '../../category/category-tree.ts'
import { TextareaField } from '../../ui/form-fields.tsx'
import { nameOfPasted } from './draft-saves.ts'
import { readPastedLines, type Pasted } from './pasted-lines.ts'

type Props = { draft: string; linesLeft: number; onAdd: (lines: Pasted['lines']) => void }

/** Adds the rows of a table as lines, at most `linesLeft` of them. Rows that were not read stay in the field, with the draft of that name. */
export function PasteLines({ draft, linesLeft, onAdd }: Props) {
  const words = useText().demand.form
  const tree = useCategoryTree()
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<string>()
  const [{ rows }, setValues, forget] = useDialogDraft(open ? nameOfPasted(draft) : null, { rows: '' })
  const pasted = readPastedLines(rows, tree, dayOf(new Date()))
  const add = () => {
    const { lines, unread } = pasted
    if (lines.length > linesLeft) return setError(words.pasteFull(linesLeft))
    if (lines.length === 0) return setError(words.pasteUnread)
    onAdd(lines)
    if (unread.length > 0) {
      setValues({ rows: unread.join('\n') })
      return setError(words.pasteUnread)
    }
    forget()
    return setOpen(false)
  }
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={linesLeft === 0}
        onClick={() => {
          setError(undefined)
          setOpen(true)
        }}
      >
        {words.pasteLines}
      </button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={words.pasteLines}
        kind="info"
        wide
        action={words.pasteAdd(pasted.lines.length)}
        busy={false}
        onConfirm={add}
      >
        <TextareaField
          label={words.pasteField}
          hint={words.pasteHint}
          error={error}
          required
          maxLength={4000}
          value={rows}
          onChange={(next) => {
            setValues({ rows: next })
            setError(undefined)
          }}
        />
      </ConfirmDialog>
    </>
  )
}
