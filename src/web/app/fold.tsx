import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useWatch, type FieldPathByValue, type FieldValues } from 'react-hook-form'
import type { CallForm } from './call-form.ts'

/**
 * Fields that most people leave blank, folded away. The fold opens where one of them has a value or is refused, and only the person closes it:
 * while a refused value is corrected the field stays in view.
 */
export function Fold<V extends FieldValues, B>({
  form,
  names,
  summary,
  className = 'link',
  children,
}: {
  form: CallForm<V, B>
  names: readonly FieldPathByValue<V, string>[]
  summary: string
  className?: string
  children: ReactNode
}) {
  const place = useRef<HTMLDetailsElement>(null)
  const { submitCount } = form.formState
  const values: readonly unknown[] = useWatch({ control: form.control, name: names })
  const isFilled = values.some((value) => Boolean(value) && Number(value) !== 0)
  const isWrong = names.some((name) => form.errorAt(name) !== undefined)
  const [wasFilled] = useState(isFilled)
  // React sets the attribute once, because it would close the fold with the error, under the cursor.
  const openIf = (isWanted: boolean) => {
    if (place.current && isWanted) place.current.open = true
  }
  useLayoutEffect(() => openIf(isFilled), [isFilled])
  useLayoutEffect(() => openIf(isWrong), [isWrong, submitCount])
  return (
    <details ref={place} open={wasFilled}>
      <summary className={className}>{summary}</summary>
      {children}
    </details>
  )
}
