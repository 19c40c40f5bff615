import { toast } from '../ui/toast.tsx'

/** Copies a text and says whether it did: a browser may refuse, and without HTTPS it has no clipboard at all. */
export async function copyText(text: string, words: { copied: string; uncopied: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast('success', words.copied)
  } catch {
    toast('warning', words.uncopied)
  }
}
