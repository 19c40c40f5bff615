import { expect, test } from 'vitest'
import { sortedJson } from '#shared/sorted-json.ts'
import { noteSave, unansweredSaves } from './unanswered-saves.ts'

const [older, newer] = [{ name: '网速很慢' }, { name: '没有网络' }]
const texts = (...values: object[]) => values.map(sortedJson)

test('a save waits until it or a later one is answered', () => {
  const [first, second] = [noteSave('order', older), noteSave('order', newer)]
  expect(unansweredSaves('order')).toEqual(texts(older, newer))
  first()
  expect(unansweredSaves('order')).toEqual(texts(newer))
  noteSave('order', older)
  second()
  expect(unansweredSaves('order')).toEqual(texts(older))
})

test('the same text that was sent again still waits when the first is answered', () => {
  const first = noteSave('twice', older)
  noteSave('twice', older)
  first()
  expect(unansweredSaves('twice')).toEqual(texts(older))
})

test('the five newest are remembered, and the answer to one that is not forgets none of them', () => {
  const oldest = noteSave('many', { name: '0' })
  for (const name of '12345') noteSave('many', { name })
  oldest()
  expect(unansweredSaves('many')).toEqual(texts(...Array.from('12345', (name) => ({ name }))))
})
