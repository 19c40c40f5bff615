import { useEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ContractForm } from './contract-form.ts'

/** Calls `save` once nothing has changed for `quietMs`. The initial values of the form are not saved. */
export function useAutosave<V extends FieldValues>(
  { getValues, subscribe }: Pick<ContractForm<V>, 'getValues' | 'subscribe'>,
  { enabled, quietMs, save }: { enabled: boolean; quietMs: number; save: () => void },
): void {
  const latestSave = useRef(save)
  useEffect(() => {
    latestSave.current = save
  }, [save])
  useEffect(() => {
    if (!enabled) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let saved = JSON.stringify(getValues())
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const next = JSON.stringify(values)
        if (next === saved) return
        saved = next
        clearTimeout(timer)
        timer = setTimeout(() => latestSave.current(), quietMs)
      },
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [enabled, quietMs, getValues, subscribe])
}
