import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { checkCancellation } from '#shared/account/contract.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import { companyStatus, type CompanyStatus } from '#shared/company/rules.ts'
import * as contract from '#shared/contract/contract.ts'
import { createDirectContract, editDirectPositions } from '#shared/contract/direct.ts'
import * as calls from '#shared/contract/moves.ts'
import { retireEquipment } from '#shared/equipment/own.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps, editing, nameThem } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { findActor } from '../actor/actor.ts'
import { transact } from '../deed.ts'
import { putInForce } from './moves.ts'

const world = await openWorld()
const { cast, clock, db, depts, letters, services } = world
const { givenContract, givenDraft, send, confirm, signCode, textHash, account } = contractSteps(world)
const { read } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const { refusal } = zhCn
const sent = async () => {
  const { id } = await givenDraft()
  expect((await send(cast.project, id)).code).toBe(200)
  return id
}
const statusOf = async (id: number) =>
  (await db.selectFrom('contract').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status
const confirmWith = (person: Person, id: number, smsCode: string, hash: string) =>
  person.call(calls.confirmContract, { params: { id }, body: { smsCode, textHash: hash, ...account } })
const nameSigner = (person: Person, id: number, signer: Person) => nameThem(person, id, [{ task: 'signer', accountId: signer.id }])

const wrongHash = 'a'.repeat(64)

describe('a contract is not put in force', () => {
  let waitingOnce: Promise<number> | undefined
  /** A sent contract that stays as it is until the last of those who use it confirms it. */
  const waiting = () => {
    world.passDeadline()
    return (waitingOnce ??= sent())
  }

  test('by a code for another text than the one that was sent', async () => {
    const id = await waiting()
    await db.deleteFrom('smsCode').execute()
    await db.deleteFrom('callLimit').execute()
    const asked = await cast.lessor.call(calls.sendSignCode, {
      params: { id },
      body: { purpose: 'confirm', textHash: wrongHash, ...account },
    })
    expect(asked.code).toBe(200)
    const smsCode = letters.at(-1)?.params[0]?.[1] ?? ''
    expect((await confirmWith(cast.lessor, id, smsCode, wrongHash)).msg).toBe(refusal.contract_text_changed)
    expect(await statusOf(id)).toBe('1')
  })

  test('by a code for another bank account than the one that is named, nor by one for another bank of the same number', async () => {
    const id = await waiting()
    const smsCode = await signCode(cast.lessor, id)
    const hash = await textHash(cast.lessor, id)
    for (const named of [{ bankAccount: '6217000000000000001' }, { bankName: '中国建设银行成都分行' }]) {
      const body = { smsCode, textHash: hash, ...account, ...named }
      expect((await cast.lessor.call(calls.confirmContract, { params: { id }, body })).msg).toBe(refusal.sms_code_wrong)
    }
    const unnamed = await cast.lessor.call(calls.sendSignCode, { params: { id }, body: { purpose: 'confirm', textHash: hash } })
    expect([unnamed.code, await statusOf(id)]).toEqual([422, '1'])
  })

  test('by a wrong code', async () => {
    const id = await waiting()
    const smsCode = await signCode(cast.lessor, id)
    const wrong = String((Number(smsCode) + 1) % 1_000_000).padStart(6, '0')
    expect((await confirmWith(cast.lessor, id, wrong, await textHash(cast.lessor, id))).msg).toBe(refusal.sms_code_wrong)
    expect(await statusOf(id)).toBe('1')
  })

  test('by somebody who got a code before their side named another to sign', async () => {
    const id = await waiting()
    const colleague = await world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, 'signer1')
    const smsCode = await signCode(cast.lessor, id)
    expect((await nameSigner(cast.lessor, id, colleague)).code).toBe(200)
    expect((await confirmWith(cast.lessor, id, smsCode, await textHash(cast.lessor, id))).msg).toBe(refusal.contract_not_signer)
    expect((await confirm(colleague, id)).code).toBe(200)
  })

  test('by a lessor who has lost their certification since it was sent', async () => {
    const id = await sent()
    const smsCode = await signCode(cast.lessor, id)
    const hash = await textHash(cast.lessor, id)
    const set = (lessorAudit: '2' | '4') => db.updateTable('company').set({ lessorAudit }).where('id', '=', cast.lessor.companyId).execute()
    await set('4')
    expect((await confirmWith(cast.lessor, id, smsCode, hash)).code).not.toBe(200)
    await set('2')
    await db.updateTable('company').set({ blacklistedAt: clock.now() }).where('id', '=', cast.lessor.companyId).execute()
    expect((await confirmWith(cast.lessor, id, smsCode, hash)).msg).toBe(refusal.contract_lessor_barred)
    await db.updateTable('company').set({ blacklistedAt: null }).where('id', '=', cast.lessor.companyId).execute()
    expect((await confirm(cast.lessor, id)).code).toBe(200)
  })

  test('by a lessor whose company is locked while they confirm; a draft is sent to them, so that the award lapses to their blame', async () => {
    const id = await sent()
    const { id: draft } = await givenDraft()
    const actor = await findActor({ db, now: clock.now(), isDemo: false }, cast.lessor.token ?? '')
    if (!actor) throw new Error('signed out')
    const set = (status: CompanyStatus) => db.updateTable('company').set({ status }).where('id', '=', cast.lessor.companyId).execute()
    const hash = await textHash(cast.lessor, id)
    await set(companyStatus.locked)
    const confirming = transact(services, { actor, now: clock.now() }, (deed) => putInForce(deed, { id, textHash: hash, ...account }))
    await expect(confirming).rejects.toThrow('contract_lessor_barred')
    expect([await statusOf(id), (await send(cast.project, draft)).code]).toEqual(['1', 200])
    await set(companyStatus.active)
  })

  test('where a machine is not booked for it any more', async () => {
    const id = await sent()
    await db
      .deleteFrom('equipmentBooking')
      .where('contractLineId', 'in', (eb) => eb.selectFrom('contractLine').where('contractId', '=', id).select('id'))
      .execute()
    expect((await confirm(cast.lessor, id)).msg).toBe(refusal.contract_machine_gone)
    expect(await statusOf(id)).toBe('1')
  })
})

describe('a draft is not sent', () => {
  test('by a wrong code, and a wrong one for a contract that somebody does not see is no try', async () => {
    const { id } = await givenDraft()
    const smsCode = await signCode(cast.project, id)
    const hash = await textHash(cast.project, id)
    const wrong = String((Number(smsCode) + 1) % 1_000_000).padStart(6, '0')
    const trying = (who: Person, code: string) => who.call(calls.sendContract, { params: { id }, body: { smsCode: code, textHash: hash } })
    expect((await trying(cast.project, wrong)).msg).toBe(refusal.sms_code_wrong)
    expect(await statusOf(id)).toBe('0')
    expect((await trying(cast.stranger, wrong)).code).toBe(404)
    expect((await trying(cast.project, smsCode)).code).toBe(200)
  })

  test('by somebody who got a code before their side named another to sign', async () => {
    const { id } = await givenDraft()
    const smsCode = await signCode(cast.project, id)
    const hash = await textHash(cast.project, id)
    expect((await nameSigner(cast.lessee, id, cast.lessee)).code).toBe(200)
    const answer = await cast.project.call(calls.sendContract, { params: { id }, body: { smsCode, textHash: hash } })
    expect([answer.msg, await statusOf(id)]).toEqual([refusal.contract_not_signer, '0'])
  })

  test('with the consent of whoever asked for it, though they have come to the unit above since', async () => {
    const { id } = await givenDraft()
    const asker = await world.givenPerson(
      { userType: '3', deptId: depts.projectDept, companyId: cast.project.companyId, certSign: 3 },
      'asker',
    )
    await db.updateTable('dept').set({ approvesContracts: true }).where('id', '=', depts.root).execute()
    expect((await asker.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
    await db.updateTable('account').set({ userType: '2', deptId: depts.root, isAdmin: true }).where('id', '=', asker.id).execute()
    const { version } = await read(id)
    const approve = (who: Person) => who.call(calls.approveContract, { params: { id }, body: { version } })
    expect((await approve(asker)).msg).toBe(refusal.forbidden)
    expect((await approve(cast.lessee)).code).toBe(200)
    await db.updateTable('account').set({ isAdmin: false }).where('id', '=', asker.id).execute()
    await db.updateTable('dept').set({ approvesContracts: false }).where('id', '=', depts.root).execute()
  })
})

test('a draft is approved or sent back as it was read: one that was changed and submitted again since is refused', async () => {
  const { id } = await givenDraft()
  const { version: before } = await read(id)
  await db.updateTable('dept').set({ approvesContracts: true }).where('id', '=', depts.root).execute()
  const ask = async () => (await cast.project.call(calls.askContractApproval, { params: { id } })).msg
  const approve = (version: number) => cast.lessee.call(calls.approveContract, { params: { id }, body: { version } })
  const reject = (version: number) => cast.lessee.call(calls.rejectContract, { params: { id }, body: { version, reason: '租金过高' } })
  await ask()
  const seen = await read(id)
  expect((await reject(before)).msg).toBe(refusal.changed)
  expect((await reject(seen.version)).code).toBe(200)
  const edited = await cast.project.call(calls.editContract, {
    body: { ...editing(await read(id)), clauses: { ...seen.clauses, payDays: 60 } },
  })
  expect(edited.code).toBe(200)
  await ask()
  expect([(await approve(seen.version)).msg, (await read(id)).approval]).toEqual([refusal.changed, '1'])
  expect((await approve((await read(id)).version)).code).toBe(200)
  // The approval is not thrown away by asking once more.
  expect([await ask(), (await read(id)).approval]).toEqual([refusal.contract_changed, '2'])
  await db.updateTable('dept').set({ approvesContracts: false }).where('id', '=', depts.root).execute()
})

test('a contract that was sent since is not given up as a draft, and comments on one text do not return another', async () => {
  const { id } = await givenDraft()
  const draft = await read(id)
  expect((await send(cast.project, id)).code).toBe(200)
  const giveUp = { params: { id }, body: { reason: '不做了', version: draft.version } }
  expect((await cast.project.call(calls.voidContract, giveUp)).msg).toBe(refusal.changed)
  const { textHash } = await read(id)
  const comment = { params: { id }, body: { comment: '付款比例偏低', textHash } }
  expect((await cast.project.call(calls.recallContract, { params: { id } })).code).toBe(200)
  const seen = await read(id)
  const edit = { body: { ...editing(seen), clauses: { ...seen.clauses, payDays: seen.clauses.payDays + 1 } } }
  expect((await cast.project.call(calls.editContract, edit)).code).toBe(200)
  expect((await send(cast.project, id)).code).toBe(200)
  expect((await cast.lessor.call(calls.returnContract, comment)).msg).toBe(refusal.contract_text_changed)
  expect((await cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '付款比例偏低' } })).code).toBe(200)
})

test('a draft that waits for the unit above and is sent by whoever approves comes back to its project, which changes and submits it anew', async () => {
  await db.updateTable('dept').set({ approvesContracts: true }).where('id', '=', depts.root).execute()
  const mayOf = async (id: number) => (await cast.project.call(contract.getContract, { params: { id } })).data.may
  const ways = {
    returned: (id: number) => cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '付款比例偏低' } }),
    recalled: (id: number) => cast.project.call(calls.recallContract, { params: { id } }),
  }
  for (const [way, comesBack] of Object.entries(ways)) {
    const { id } = await givenDraft()
    expect((await cast.project.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
    expect((await send(cast.lessee, id)).code).toBe(200)
    expect((await comesBack(id)).code, way).toBe(200)
    expect([(await read(id)).approval, await mayOf(id)], way).toEqual(['0', expect.arrayContaining(['edit', 'ask'])])
    const { tasks } = (await cast.project.call(getWorkPanel, {})).data
    const kind = way === 'returned' ? 'contractReturned' : 'contractSend'
    expect(tasks.find((task) => task.kind === kind)?.items.map((item) => item.id)).toContain(String(id))
  }
  await db.updateTable('dept').set({ approvesContracts: false }).where('id', '=', depts.root).execute()
})

test('those are asked to approve a draft who may: the administrators of the topmost unit that wants it and above, but not whoever asks', async () => {
  const boss = (deptId: number, login: string) =>
    world.givenPerson({ userType: '2', deptId, companyId: cast.lessee.companyId, isAdmin: true, certSign: 2 }, login)
  const [above, below] = [await boss(depts.root, 'bossabove'), await boss(depts.unit, 'bossbelow')]
  const wants = async (units: { root: boolean; unit: boolean }) => {
    for (const [unit, approvesContracts] of Object.entries(units))
      await db
        .updateTable('dept')
        .set({ approvesContracts })
        .where('id', '=', depts[unit as 'root' | 'unit'])
        .execute()
  }
  const askedOf = async (id: number) => {
    const told = db.selectFrom('message').where('bizType', '=', 'contract').where('bizId', '=', String(id))
    return (await told.where('kind', '=', 'contractSubmitted').orderBy('accountId').select('accountId').execute()).map(
      ({ accountId }) => accountId,
    )
  }
  const ofRoot = [cast.lessee.id, above.id].toSorted((a, b) => a - b)
  const cases = [
    { units: { root: true, unit: true }, by: cast.project, asked: ofRoot },
    { units: { root: true, unit: true }, by: below, asked: ofRoot },
    { units: { root: false, unit: true }, by: cast.project, asked: [...ofRoot, below.id].toSorted((a, b) => a - b) },
  ]
  for (const { units, by, asked } of cases) {
    const { id } = await givenDraft()
    await wants(units)
    expect((await by.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
    expect(await askedOf(id)).toEqual(asked)
    const mayOf = async (who: Person) => (await who.call(contract.getContract, { params: { id } })).data.may.includes('approve')
    for (const who of [cast.lessee, above, below]) expect(await mayOf(who)).toBe(asked.includes(who.id))
    // The approval within the lessee's organisation stays there.
    await db.updateTable('contract').set({ sentAt: clock.now() }).where('id', '=', id).execute()
    expect((await cast.lessor.call(contract.getContract, { params: { id } })).data.approval).toBe('0')
    const { rows } = (await cast.lessor.call(contract.listContracts, { query: { pageSize: 100 } })).data
    expect(rows.find((row) => row.id === id)?.approval).toBe('0')
    await wants({ root: false, unit: false })
  }
})

test('the scan of a sealed contract is a PDF or a photograph, and nothing else', async () => {
  const { id } = await givenContract()
  const file = await givenFile(world, cast.lessor)
  const upload = () => cast.lessor.call(calls.uploadContractScan, { params: { id }, body: { fileIds: [file] } })
  await db.updateTable('file').set({ mime: 'application/zip' }).where('id', '=', file).execute()
  expect((await upload()).code).toBe(422)
  await db.updateTable('file').set({ mime: 'image/png' }).where('id', '=', file).execute()
  expect((await upload()).code).toBe(200)
})

describe('a contract that a unit wrote down itself', () => {
  const today = dayOf(monday)
  const position = (equipmentId: number, ceilingReason: string) => ({
    equipmentId,
    planStart: addDays(today, 10),
    planEnd: addDays(today, 100),
    rentUnit: 'M' as const,
    unitPrice: '16000',
    ceilingReason,
  })
  const written = async (lessor: Person = cast.lessor, machine?: number, ceilingReason = '') => {
    const equipmentId = machine ?? (await world.givenMachine(lessor.companyId))
    const { data, msg } = await cast.project.call(createDirectContract, {
      body: {
        deptId: depts.projectDept,
        lessorCompanyId: lessor.companyId,
        title: '比价用的草稿合同',
        provinceId: 510_000,
        cityId: 510_100,
        address: '成都市青羊区',
        lines: [position(equipmentId, ceilingReason)],
      },
    })
    if (!data?.id) throw new Error(msg)
    return data.id
  }

  test('is not sent to a lessor who has come to be restricted for its department', async () => {
    const id = await written()
    await db
      .insertInto('blacklist')
      .values({
        blacklistCode: 'HM1',
        subjectKind: 'company',
        companyId: cast.lessor.companyId,
        level: 2,
        scopeDeptId: depts.root,
        reasonCode: 'quit',
        facts: '事实'.repeat(30),
        fromDay: today,
        toDay: addDays(today, 365),
        status: '2',
        proposerId: cast.lessee.id,
        createTime: monday,
        updateTime: monday,
      })
      .execute()
    const answer = await send(cast.project, id)
    expect([answer.msg, await statusOf(id)]).toEqual([refusal.contract_barred, '0'])
    await db.deleteFrom('blacklist').execute()
    expect((await send(cast.project, id)).code).toBe(200)
  })

  test('is read by its lessor from when it was sent; of a draft that was given up unsent they learn nothing', async () => {
    const id = await written()
    const before = (await cast.lessor.call(listOwnMessages, { query: {} })).data.total
    expect((await cast.project.call(calls.voidContract, { params: { id }, body: { reason: '不做了' } })).code).toBe(200)
    for (const call of [contract.getContract, contract.getContractText, contract.getContractChain, contract.printContract])
      expect((await cast.lessor.call(call, { params: { id } })).code, call.url).toBe(404)
    const { rows } = (await cast.lessor.call(contract.listContracts, { query: { pageSize: 100 } })).data
    expect(rows.map((row) => row.id)).not.toContain(id)
    expect((await cast.lessor.call(listOwnMessages, { query: {} })).data.total).toBe(before)
  })

  test('keeps its lessor neither from retiring the machine nor from cancelling an account before they have confirmed it', async () => {
    const { lessor2 } = cast
    const machine = await world.givenMachine(lessor2.companyId)
    const [unsent, sentOne] = [await written(lessor2, machine), await written(lessor2)]
    expect((await send(cast.project, sentOne)).code).toBe(200)
    const contractsOf = async (person: Person) =>
      (await person.call(checkCancellation, {})).data.points.find(({ kind }) => kind === 'contracts')?.count
    expect(await contractsOf(lessor2)).toBe(0)
    expect((await lessor2.call(retireEquipment, { params: { id: machine } })).code).toBe(200)
    expect((await send(cast.project, unsent)).msg).toBe(refusal.contract_barred)
    expect((await confirm(lessor2, sentOne)).code).toBe(200)
    expect(await contractsOf(lessor2)).toBe(1)
  })

  test('has the same hashes in its chain, whether its prices have a reason, so the lessor cannot try which', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const digestsOf = async (reason: string) => {
      const id = await written(cast.lessor, machine, reason)
      const { version } = (await cast.project.call(contract.getContract, { params: { id } })).data
      const body = { version, lines: [position(machine, reason)] }
      expect((await cast.project.call(editDirectPositions, { params: { id }, body })).code).toBe(200)
      const events = await db.selectFrom('contractEvent').where('contractId', '=', id).orderBy('seq').select(['move', 'digest']).execute()
      return events.map(({ move, digest }) => [move, digest])
    }
    const digests = await digestsOf('')
    expect(digests).toEqual([
      ['draft', expect.stringMatching(/^[0-9a-f]{64}$/)],
      ['positions', expect.stringMatching(/^[0-9a-f]{64}$/)],
    ])
    expect(await digestsOf('春节前设备紧缺')).toEqual(digests)
  })

  test('the draft of an award that was given up stays with its lessor, who won it', async () => {
    const { id } = await givenDraft()
    expect((await cast.lessor.call(contract.getContract, { params: { id } })).code).toBe(404)
    expect((await cast.project.call(calls.voidContract, { params: { id }, body: { reason: '工程停工' } })).code).toBe(200)
    expect((await cast.lessor.call(contract.getContract, { params: { id } })).data.status).toBe('7')
  })
})
