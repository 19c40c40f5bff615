import { afterAll, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { transact } from './deed.ts'

const world = await openWorld()
afterAll(() => world.close())

test('what fails after a commit neither undoes the write nor stops what comes after it', async () => {
  const done: string[] = []
  const said: string[] = []
  const services = { ...world.services, writeLine: (line: string) => void said.push(line) }
  const result = await transact(services, { now: world.clock.now() }, async ({ db, afterCommit }) => {
    afterCommit(() => Promise.reject(new Error('no answer')))
    afterCommit(() => {
      throw new Error('at once')
    })
    afterCommit(() => Promise.resolve(done.push('the third')))
    return db.updateTable('account').set({ nickName: '留下' }).where('id', '=', world.cast.project.id).returning('nickName').execute()
  })
  expect(result).toEqual([{ nickName: '留下' }])
  expect(done).toEqual(['the third'])
  expect(said).toEqual(['no answer', 'at once'].map((reason) => expect.stringContaining(reason) as string))
})
