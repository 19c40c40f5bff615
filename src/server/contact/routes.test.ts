import { afterAll, expect, test } from 'vitest'
import { getImageCode } from '#shared/account/contract.ts'
import { sendContact } from '#shared/contact/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { whileHeld } from '#test/held-rows.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { openWorld } from '#test/world.ts'
import { insertImageCode } from '../account/codes.ts'

// As many as in production: six calls wait for one another.
const world = await openWorld({ connections: 10 })
const { cast, db } = world
afterAll(() => world.close())

const request = {
  name: '张三',
  company: '某单位',
  phone: '14400009999',
  email: '',
  type: 'other' as const,
  content: '想了解一下贵平台的合作方式',
}

test('a picture code that is sent many times at once serves once', async () => {
  const { uuid, answer } = await insertImageCode({ ...world.services, now: world.clock.now() }, 'contact')
  const send = () => cast.visitor.call(sendContact, { body: { ...request, code: answer, uuid } })
  const answers = await whileHeld(
    db,
    'image_code',
    Array.from({ length: 6 }, () => send),
  )
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 422, 422, 422, 422, 422])
  expect(await db.deleteFrom('contact').returning('name').execute()).toHaveLength(1)
})

test('a picture code that was answered wrongly is used up, so that nobody can guess on', async () => {
  const { data } = await cast.visitor.call(getImageCode, { query: { type: 'contact' } })
  const stored = () => db.selectFrom('imageCode').where('uuid', '=', data.uuid).select('type').execute()
  expect(await stored()).toEqual([{ type: 'contact' }])
  const { code, msg } = await cast.visitor.call(sendContact, { body: { ...request, code: '错误', uuid: data.uuid } })
  expect([code, msg]).toEqual([422, zhCn.rule.codes.image_code])
  expect(await stored()).toEqual([])
  expect(await db.selectFrom('contact').select('id').execute()).toEqual([])
})

test('an empty picture code is a field that is missing, and uses up no picture', async () => {
  const { data } = await cast.visitor.call(getImageCode, { query: { type: 'contact' } })
  const answer = await cast.visitor.call(sendContact, { body: { ...request, code: ' ', uuid: data.uuid } })
  expect([answer.code, refusedFields(answer.data)]).toEqual([422, ['code']])
  expect(await db.selectFrom('imageCode').where('uuid', '=', data.uuid).select('type').execute()).toHaveLength(1)
})
