import { setPriority } from 'node:os'
import sharp from 'sharp'
import { Refusal } from './http/refusal.ts'
import type { Answer, Asked, Task } from './reader/reader.ts'
import { encode } from './upload/picture-encoding.ts'
import { runInThread } from './workbook/thread.ts'

/** Everything else on the machine goes first. */
const niceness = 5

setPriority(niceness)
// No picture is decoded twice.
sharp.cache(false)
sharp.concurrency(1)

const run = (task: Task): Promise<unknown> => {
  if (task.kind === 'picture') return encode(task.content, task.turn)
  if (task.kind === 'drawing') return sharp(Buffer.from(task.svg)).png({ palette: true }).toBuffer()
  return runInThread(new URL(task.program), task.data)
}
const reply = (answer: Answer) => process.send?.(answer)

process.on('message', ({ id, task }: Asked) => {
  run(task).then(
    (result) => reply({ id, result }),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      reply({ id, refusal: error.code })
    },
  )
})
process.on('disconnect', () => process.exit(0))
