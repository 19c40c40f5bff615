import { afterAll, beforeEach, expect, test } from 'vitest'
import { getContract, getContractChain } from '#shared/contract/contract.ts'
import { nameContractPersons, voidContract } from '#shared/contract/moves.ts'
import type { ContractTask } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenContract, givenDraft } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const clerk = await world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, 'clerkoflessor')
const signer = await world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, 'signeroflessor')
const mate = await world.givenPerson(
  { userType: '3', deptId: world.depts.projectDept, companyId: cast.project.companyId, certSign: 3 },
  'mateofproject',
)

const name = (who: Person, id: number, persons: [ContractTask, Person][]) =>
  nameThem(
    who,
    id,
    persons.map(([task, { id: accountId }]) => ({ task, accountId })),
  )
const messagesAbout = async (id: number) =>
  db
    .selectFrom('message')
    .where('kind', '=', 'contractOwnPersons')
    .where('bizId', '=', String(id))
    .orderBy('accountId')
    .select(['accountId', 'content', 'link'])
    .execute()
const namesSigners = async (who: Person, id: number) => (await who.call(getContract, { params: { id } })).data.namesSigners

test('whoever names a signer for their own side is told of to its administrators and to everybody who was or is named', async () => {
  const { id } = await givenContract()
  expect((await name(clerk, id, [['signer', clerk]])).code).toBe(200)
  const first = await messagesAbout(id)
  expect(first.map(({ accountId }) => accountId)).toEqual([cast.lessor.id])
  expect(first[0]?.content).toContain('现为：clerkoflessor甲')
  expect(first[0]?.link).toBe(paths.contract(id, 'people'))
  expect((await name(cast.lessor, id, [['signer', signer]])).code).toBe(200)
  const second = await messagesAbout(id)
  expect(second.map(({ accountId }) => accountId)).toEqual([cast.lessor.id, clerk.id, signer.id].toSorted((a, b) => a - b))
  expect(second.find(({ accountId }) => accountId === clerk.id)?.content).toContain('现为：signeroflessor甲')
  const { links } = (await clerk.call(getContractChain, { params: { id } })).data
  expect(links.filter(({ move }) => move === 'persons').map(({ detail }) => detail)).toEqual([
    expect.stringContaining(`\\"accountId\\":${clerk.id}`),
    expect.stringContaining(`\\"accountId\\":${signer.id}`),
  ])
})

test('nobody is named in a contract that has ended', async () => {
  const { id } = await givenDraft({ alone: true })
  expect((await name(cast.project, id, [['signer', cast.project]])).code).toBe(200)
  expect((await cast.project.call(voidContract, { params: { id }, body: { reason: '工程取消' } })).code).toBe(200)
  expect((await name(cast.project, id, [['logger', mate]])).msg).toBe(zhCn.refusal.contract_changed)
})

test('of a project, the administrators of the units above are told; naming for another task is told to nobody of the own side', async () => {
  const { id } = await givenContract()
  expect((await name(mate, id, [['acceptor', mate]])).code).toBe(200)
  expect(await messagesAbout(id)).toEqual([])
  expect(
    (
      await name(mate, id, [
        ['acceptor', mate],
        ['signer', mate],
      ])
    ).code,
  ).toBe(200)
  expect((await messagesAbout(id)).map(({ accountId }) => accountId)).toEqual([cast.lessee.id])
})

test('of two colleagues who name people at once, the second is refused and removes nobody whom they did not see', async () => {
  const { id } = await givenContract()
  const nameAfter = (who: Person, persons: object[], before: object[]) =>
    who.call(nameContractPersons, { params: { id }, body: { persons, before } })
  const settler = { task: 'settler', accountId: clerk.id }
  const acceptor = { task: 'acceptor', accountId: signer.id }
  const named = async () =>
    (await cast.lessor.call(getContract, { params: { id } })).data.persons.map(({ task, accountId }) => ({ task, accountId }))
  const codes = (await Promise.all([nameAfter(clerk, [settler], []), nameAfter(signer, [acceptor], [])])).map(({ code }) => code)
  expect(codes.toSorted()).toEqual([200, 409])
  const [first] = await named()
  expect(await named()).toEqual([codes[0] === 200 ? settler : acceptor])
  expect((await nameAfter(signer, [], [])).msg).toBe(zhCn.refusal.changed)
  expect((await nameAfter(signer, [acceptor, settler], [first ?? {}])).code).toBe(200)
  expect(await named()).toEqual([acceptor, settler])
  // The order in which they were read means nothing.
  expect((await nameAfter(signer, [acceptor], [settler, acceptor])).code).toBe(200)
})

test('where a side has signers, only one of them or an administrator changes them; other tasks stay open to everybody', async () => {
  const { id } = await givenContract()
  expect((await name(signer, id, [['signer', signer]])).code).toBe(200)
  expect([await namesSigners(clerk, id), await namesSigners(signer, id), await namesSigners(cast.lessor, id)]).toEqual([false, true, true])
  const both: [ContractTask, Person][] = [
    ['signer', signer],
    ['signer', clerk],
  ]
  for (const persons of [[['signer', clerk]], both, []] as [ContractTask, Person][][]) {
    const refused = await name(clerk, id, persons)
    expect([refused.code, refused.msg]).toEqual([403, zhCn.refusal.contract_signers_named])
  }
  const settling: [ContractTask, Person][] = [
    ['signer', signer],
    ['settler', clerk],
  ]
  expect((await name(clerk, id, settling)).code).toBe(200)
  expect((await name(signer, id, both)).code).toBe(200)
  expect((await name(clerk, id, [['signer', clerk]])).code).toBe(200)
  expect((await name(cast.lessor, id, [['signer', signer]])).code).toBe(200)
  // The other side has signers of its own.
  expect(await namesSigners(cast.project, id)).toBe(true)
})
