import { useEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ContractForm } from './contract-form.ts'

/** Calls `save` once nothing was changed for `quietMs`; what the form starts with is not saved. */
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
    let known = JSON.stringify(getValues())
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const next = JSON.stringify(values)
        if (next === known) return
        known = next
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
