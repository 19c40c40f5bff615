import { expect, test } from 'vitest'
import { Credentials, CredentialsWithCode } from './input.ts'
import { needsLogin } from './rules.ts'

test.each([
  '/personal',
  '/workbench',
  '/workbench/organization',
  '/workbench/requirement/list',
  '/workbench/nothing/here',
  '/Admin',
  '/demand/detail',
  '/equipment/detail',
  '/equipment/detail/7',
  '/supplier/detail',
  '/nothing/supplier/detail',
])('[S2.8] %s asks a visitor to sign in, whether a page answers there or not', (path) => expect(needsLogin(path)).toBe(true))

test.each(['/', '/demand', '/equipment', '/supplier', '/supplier/equdetail', '/notice/detail', '/login'])(
  '[S2.8] %s is open to visitors',
  (path) => expect(needsLogin(path)).toBe(false),
)

test('an empty picture code is a field that is missing once one is asked for, and was none before', () => {
  const typed = { username: 'project', password: '', code: ' ' }
  const missing = (schema: typeof Credentials | typeof CredentialsWithCode) =>
    schema.safeParse(typed).error?.issues.map(({ path }) => path[0])
  expect(missing(Credentials)).toEqual(['password'])
  expect(missing(CredentialsWithCode)).toEqual(['password', 'code'])
})
