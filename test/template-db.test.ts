import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { copyDatabase, makeOnce } from './template-db.ts'

test('a database of the run is made anew after a making that failed and left its connections open, and once only', async () => {
  const template = inject('template')
  const left: pg.Client[] = []
  const fails = makeOnce(template, 'made_once', async (url) => {
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    await client.connect()
    left.push(client)
    throw new Error('the market was not whole')
  })
  await expect(fails).rejects.toThrow('the market was not whole')
  let fills = 0
  const make = () => makeOnce(template, 'made_once', () => Promise.resolve(void fills++))
  await make()
  await make()
  expect([left.length, fills]).toEqual([1, 1])
  const { drop } = await copyDatabase(template, 'made_once')
  await drop()
})
