import { setPriority } from 'node:os'
import sharp from 'sharp'
import { answerTasks } from './child/child-program.ts'
import type { Task } from './reader/reader.ts'
import { encode } from './upload/picture-encoding.ts'
import { runInThread } from './workbook/thread.ts'

/** Everything else on the machine goes first. */
const niceness = 5

setPriority(niceness)
// No picture is decoded twice.
sharp.cache(false)
sharp.concurrency(1)

answerTasks<Task>((task) => {
  if (task.kind === 'picture') return encode(task.content, task.turn)
  if (task.kind === 'drawing') return sharp(Buffer.from(task.svg)).png({ palette: true }).toBuffer()
  return runInThread(new URL(task.program), task.data, { stays: task.stays })
})
