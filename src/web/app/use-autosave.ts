import { useEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { CallForm } from './call-form.ts'
import { useLatest } from './use-latest.ts'

/** Milliseconds after which a save that failed is tried again. */
const retryMs = 5000

/**
 * Calls `save` once nothing has changed for `quietMs`, and at once when the form is left before. The initial values of the form are not saved. A
 * save that resolves to false has failed: it is repeated until one succeeds, at once when the network is back.
 */
export function useAutosave<V extends FieldValues>(
  { getValues, subscribe }: Pick<CallForm<V>, 'getValues' | 'subscribe'>,
  { enabled, quietMs, save }: { enabled: boolean; quietMs: number; save: () => void | Promise<boolean> },
): void {
  const latestSave = useLatest(save)
  const isWaiting = useRef(false)
  // Stands before the effect that stops the timer, so its end comes first.
  useEffect(
    () => () => {
      if (isWaiting.current) void latestSave()()
    },
    [latestSave],
  )
  useEffect(() => {
    if (!enabled) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let failed = false
    let ended = false
    let saved = JSON.stringify(getValues())
    const run = async () => {
      isWaiting.current = false
      failed = (await latestSave()()) === false
      if (failed && !ended) wait(retryMs)
    }
    const wait = (ms: number) => {
      isWaiting.current = true
      clearTimeout(timer)
      timer = setTimeout(() => void run(), ms)
    }
    const whenOnline = () => {
      if (failed) wait(0)
    }
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const next = JSON.stringify(values)
        if (next === saved) return
        saved = next
        wait(quietMs)
      },
    })
    addEventListener('online', whenOnline)
    return () => {
      ended = true
      isWaiting.current = false
      clearTimeout(timer)
      removeEventListener('online', whenOnline)
      unsubscribe()
    }
  }, [enabled, quietMs, getValues, subscribe, latestSave])
}
