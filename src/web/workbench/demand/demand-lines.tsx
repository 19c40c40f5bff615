import { useEffect, useRef } from 'react'
import { useFieldArray } from 'react-hook-form'
import { maxLines } from '#shared/demand/rules.ts'
import { useText } from '../../app/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { newItem, type DemandFormState } from './draft.ts'
import { ItemEditor } from './item-editor.tsx'
import { PasteLines } from './paste-lines.tsx'
import type { Pasted } from './pasted-lines.ts'
import { useCeilings } from '../internal/use-ceilings.ts'

/** The lines of a demand, which can be added, copied and removed. A removed line can be restored. `draft` names the draft of the form. */
export function LinesSection({ form, draft }: { form: DemandFormState; draft: string }) {
  const words = useText().demand.form
  const { fields, append, insert, remove, replace } = useFieldArray({ control: form.control, name: 'items', keyName: 'key' })
  const ceilings = useCeilings(form.control)
  const section = useRef<HTMLElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    // A new line starts with its category; the dates are those of the line before.
    const lines = section.current?.querySelectorAll('.line-editor')
    lines?.[lines.length - 1]?.querySelector<HTMLInputElement>('.picker input')?.focus()
  }, [fields.length])
  const lineAt = (index: number) => form.getValues(`items.${index}`)
  const removeLine = (index: number) => {
    const line = lineAt(index)
    remove(index)
    toast('info', words.removedLine, { label: words.undo, run: () => insert(index, line) })
  }
  const filled = () => form.getValues('items').filter(({ categoryId, remark }) => categoryId !== null || remark !== '')
  const addLine = () => {
    const { planStart, planEnd } = lineAt(fields.length - 1)
    append(newItem({ planStart, planEnd }), { shouldFocus: false })
    added.current = true
  }
  // Lines with neither category nor remark give way; days that the table leaves open are those of the last line.
  const addPasted = (lines: Pasted['lines']) => {
    const { planStart, planEnd } = lineAt(fields.length - 1)
    replace([...filled(), ...lines.map((line) => newItem({ planStart, planEnd, ...line }))])
    form.clearErrors('items')
  }
  return (
    <section ref={section} className="panel stack">
      <h2>{words.sections.lines}</h2>
      {fields.map(({ key }, index) => (
        <ItemEditor
          key={key}
          form={form}
          index={index}
          listed={ceilings[index] ?? null}
          onCopy={() => insert(index + 1, newItem(lineAt(index)), { shouldFocus: false })}
          onRemove={fields.length > 1 ? () => removeLine(index) : null}
        />
      ))}
      <div className="row">
        <button type="button" className="button" disabled={fields.length >= maxLines} onClick={addLine}>
          + {words.addLine}
        </button>
        <PasteLines draft={draft} linesLeft={maxLines - filled().length} onAdd={addPasted} />
      </div>
    </section>
  )
}
