import { createStore } from './store.ts'

export const openDialogs = createStore<readonly HTMLDialogElement[]>([])

/** The dialog in front of all else, if any is open: what stands outside of it cannot be pressed. */
export const useFrontDialog = (): HTMLDialogElement | undefined => openDialogs.use().at(-1)
