import { setPriority } from 'node:os'
import sharp from 'sharp'
import type { RefusalCode } from '#shared/refusals.ts'
import { Refusal } from '../http/refusal.ts'
import { encode, type Encoded } from './picture-encoding.ts'

export type Given = { content: Uint8Array; turn: number }
export type Answer = Encoded | { refusal: RefusalCode }

/** Everything else on the machine goes first. */
const niceness = 10

setPriority(niceness)
// No picture is decoded twice.
sharp.cache(false)
sharp.concurrency(1)

process.on('message', ({ content, turn }: Given) => {
  encode(content, turn).then(
    (encoded) => process.send?.(encoded),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      process.send?.({ refusal: error.code } satisfies Answer)
    },
  )
})
process.on('disconnect', () => process.exit(0))
