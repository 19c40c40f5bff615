import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { fromMoment, toMoment } from '#shared/calendar.ts'
import { brokenLink } from '#shared/opening/chain.ts'
import * as contract from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { contractTasks, type ContractTask } from '#shared/contract/rules.ts'
import { checkCancellation } from '#shared/account/contract.ts'
import { getOwnDemand } from '#shared/demand/contract.ts'
import { switchDept } from '#shared/dept/contract.ts'
import { retireEquipment } from '#shared/equipment/own.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { deletePerson, listPickablePeople } from '#shared/person/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getDemandForLessor } from '#shared/quote/contract.ts'
import { contractSteps, editing, nameThem } from '#test/given-contract.ts'
import { whileHeld } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { givenFile } from '#test/given-file.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenAwarded, givenDraft, givenContract, signCode, textHash, send, confirm, account, pass } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const read = async (person: Person, id: number) => (await person.call(contract.getContract, { params: { id } })).data
const statusOf = async (id: number) => (await db.selectFrom('contract').where('id', '=', id).select('status').executeTakeFirst())?.status

describe('from an award to a contract in force', () => {
  test('the draft holds what the demand and the quote agreed: duties, cycle of payment, pledge to renew documents, deviations by position, note and requirements', async () => {
    const { demand, quoteOf } = await givenAwarded({ alone: true })
    const quoteId = quoteOf(cast.lessor)
    const payment = JSON.stringify({ cycle: 'quarter', ratio: 70, days: 30, invoice: 'special' })
    await db
      .updateTable('demand')
      .set({ payment, transportBy: 'lessee', terms: '夜间不得施工\n服从总包管理' })
      .where('id', '=', demand.id)
      .execute()
    await db.updateTable('quote').set({ note: '含随机配件' }).where('id', '=', quoteId).execute()
    await db.updateTable('quoteLine').set({ deviation: '斗容 2.7 m³', promisesRenewal: true }).where('quoteId', '=', quoteId).execute()
    expect((await cast.lessor.call(calls.acceptAward, { params: { id: quoteId } })).code).toBe(200)
    const { id } = await db.selectFrom('contract').where('demandId', '=', demand.id).select('id').executeTakeFirstOrThrow()
    const { extras } = (await read(cast.project, id)).clauses
    expect(extras).toEqual([
      expect.stringMatching(/^进出场运输由承租方负责，安装拆卸由出租方负责，操作人员食宿由承租方负责/),
      expect.stringMatching(/^需求约定季结/),
      '1、2 号机位的设备证照在退场前到期的，出租方按报价时的承诺，在到期前完成续期。',
      '1、2 号机位与需求的偏差：斗容 2.7 m³',
      '报价说明：含随机配件',
      '需求的其他要求：夜间不得施工 服从总包管理',
    ])
    const { text } = (await cast.project.call(contract.getContractText, { params: { id } })).data
    for (const extra of extras) expect(text).toContain(extra)
  })

  test('accepted, drafted, sent, returned with a comment on a clause, sent again, confirmed, its scan matched', async () => {
    const { id, demand } = await givenDraft()
    const draft = await read(cast.project, id)
    expect(draft).toMatchObject({
      contractCode: expect.stringMatching(/^HT\d{12}$/),
      status: '0',
      side: 'lessee',
      lines: [{ lineNo: 1, qty: 1, status: '0' }],
      clauses: { startRule: 'accept', payDays: 30, deposit: '0.00' },
      problems: [],
    })
    // The lessor sees a draft once it has been sent.
    expect((await cast.lessor.call(contract.getContract, { params: { id } })).code).toBe(404)
    const edited = await cast.project.call(calls.editContract, {
      body: { ...editing(draft), clauses: { ...draft.clauses, exitFee: undefined, deposit: '5000.5' } },
    })
    expect([edited.code, edited.msg]).toEqual([200, expect.any(String)])
    expect((await read(cast.project, id)).clauses.deposit).toBe('5000.50')

    expect((await send(cast.project, id)).code).toBe(200)
    expect((await read(cast.lessor, id)).may).toEqual(['return', 'confirm', 'persons'])
    const comment = { comment: '退场费由承租方承担', clauses: [{ key: 'noticeDays', comment: '改为 7 日' }] }
    expect((await cast.lessor.call(calls.returnContract, { params: { id }, body: comment })).code).toBe(200)
    const returned = await read(cast.project, id)
    expect([returned.status, returned.comments]).toMatchObject(['0', [comment]])
    const mended = { ...editing(returned), clauses: { ...returned.clauses, noticeDays: 7 } }
    expect((await cast.project.call(calls.editContract, { body: mended })).code).toBe(200)
    expect((await send(cast.project, id)).code).toBe(200)
    expect((await confirm(cast.lessor, id)).code).toBe(200)

    const inForce = await read(cast.project, id)
    expect([inForce.status, inForce.bankAccount]).toEqual(['2', account.bankAccount.replaceAll(' ', '')])
    const [version] = await db.selectFrom('contractVersion').where('contractId', '=', id).selectAll().execute()
    expect(version).toMatchObject({ revision: 1, textHash: inForce.textHash })
    expect(sha256(version?.text ?? '')).toBe(inForce.textHash)
    expect(version?.text).toContain('承租方应提前 7 日提出退场申请；')

    const fileId = await givenFile(world, cast.lessor)
    expect((await cast.lessor.call(calls.uploadContractScan, { params: { id }, body: { fileIds: [fileId] } })).code).toBe(200)
    expect((await cast.lessor.call(calls.matchContractScan, { params: { id }, body: { agrees: true, fileIds: [fileId] } })).code).toBe(409)
    const scan = { params: { id: fileId }, query: {} }
    expect((await cast.project.call(downloadFile, scan)).bytes.toString()).toBe('%PDF-1.4')
    expect((await cast.stranger.call(downloadFile, scan)).code).toBe(404)
    expect((await cast.project.call(calls.matchContractScan, { params: { id }, body: { agrees: false, fileIds: [fileId] } })).code).toBe(
      422,
    )
    expect((await cast.project.call(calls.matchContractScan, { params: { id }, body: { agrees: true, fileIds: [fileId] } })).code).toBe(200)
    const whole = await read(cast.lessor, id)
    expect([whole.scanState, whole.scans]).toMatchObject(['2', [{ id: fileId }]])
    expect(whole.events.map(({ move }) => move).toReversed()).toEqual([
      'draft',
      'edit',
      'send',
      'return',
      'edit',
      'send',
      'confirm',
      'version',
      'scan',
      'matchScan',
    ])

    const { data: chain } = await cast.lessor.call(contract.getContractChain, { params: { id } })
    expect(await brokenLink(chain.links, sha256)).toBeNull()
    const { rows } = { rows: await db.selectFrom('demandEvent').where('demandId', '=', demand.id).orderBy('seq').select('hash').execute() }
    expect(rows.map(({ hash }) => hash)).toContain(chain.demandHash)
  })

  test('whoever gets a contract back reads until when to send it again, in the notice and at the demand; one that the unit above returns is submitted again', async () => {
    const { id, demand } = await givenDraft({ alone: true })
    const approving = (approvesContracts: boolean) =>
      db.updateTable('dept').set({ approvesContracts }).where('id', '=', world.depts.root).execute()
    // The newest first.
    const told = async (locale: 'zh-CN' | 'en-US' = 'zh-CN') =>
      (await world.caller(cast.project.token, locale)(listOwnMessages, {})).data.rows[0]?.content
    await approving(true)
    expect((await cast.project.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
    const { version } = await read(cast.lessee, id)
    const answer = await cast.lessee.call(calls.rejectContract, { params: { id }, body: { version, reason: '押金过高' } })
    expect([answer.code, await told()]).toEqual([200, expect.stringMatching(/押金过高。请修改后重新送审。$/)])
    await approving(false)
    pass(2 * 86_400)
    expect((await send(cast.project, id)).code).toBe(200)
    pass(3 * 86_400)
    expect((await cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '还要改' } })).code).toBe(200)
    const { lapsesAt } = await read(cast.project, id)
    const { contracts } = (await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data
    expect(contracts?.lessors.map((lessor) => lessor.lapsesAt)).toEqual([lapsesAt])
    expect(lapsesAt).not.toBe(contracts?.due)
    const due = lapsesAt?.slice(0, 16) ?? ''
    expect(await told()).toMatch(new RegExp(`还要改。请在 ${due} 前修改并重新发送，逾期定标失效。$`))
    expect(await told('en-US')).toMatch(new RegExp(`Correct and send it again by ${due}, or the award lapses.$`))
  })

  test('the demand leads its owner to every contract, and the winner to its own once it was sent', async () => {
    const { demand, quoteOf } = await givenAwarded()
    const params = { id: demand.id }
    const ofOwner = async () => (await cast.project.call(getOwnDemand, { params })).data.contracts
    const won = async () => (await cast.lessor.call(getDemandForLessor, { params })).data.quote?.won
    const due = toMoment(new Date(clock.now().getTime() + 7 * 86_400_000))
    expect(await ofOwner()).toMatchObject({
      due,
      isDueMoved: false,
      lessors: [
        { companyId: cast.lessor.companyId, acceptedAt: null, contract: null, lapsesAt: due },
        { companyId: cast.lessor2.companyId, acceptedAt: null, contract: null, lapsesAt: due },
      ],
    })
    expect(await won()).toMatchObject({ acceptedAt: null, contractDue: due, contract: null })
    await cast.lessor.call(calls.acceptAward, { params: { id: quoteOf(cast.lessor) } })
    const [first, second] = (await ofOwner())?.lessors ?? []
    expect([first, second]).toMatchObject([{ contract: { status: '0' } }, { contract: null }])
    expect(await won()).toMatchObject({ acceptedAt: expect.any(String), contract: null })
    const id = first?.contract?.id ?? 0
    await send(cast.project, id)
    expect((await won())?.contract).toMatchObject({ id, status: '1' })
    await cast.project.call(calls.moveContractDue, { params, body: { days: 3, reason: '用印需要时间' } })
    expect(await ofOwner()).toMatchObject({
      due: toMoment(new Date(fromMoment(due).getTime() + 3 * 86_400_000)),
      isDueMoved: true,
    })
  })

  test('a person may name the colleagues of their own side, and nobody else', async () => {
    const { id } = await givenDraft()
    await send(cast.project, id)
    // The picker of each task offers whom the contract takes.
    const ids = async (person: Person, type: ContractTask) =>
      (await person.call(listPickablePeople, { query: { type, pageSize: 100 } })).data.rows.map(({ userId }) => userId)
    for (const type of contractTasks) {
      expect(await ids(cast.project, type)).toEqual([cast.project.id])
      expect(await ids(cast.lessor, type)).toEqual([cast.lessor.id])
    }
    const strangers = [{ task: 'signer', accountId: cast.lessor.id }]
    expect((await nameThem(cast.project, id, strangers)).code).toBe(422)
    const persons = [{ task: 'signer', accountId: cast.project.id }]
    expect((await nameThem(cast.project, id, persons)).code).toBe(200)
    expect((await read(cast.lessor, id)).persons).toMatchObject([{ side: 'lessee', task: 'signer', accountId: cast.project.id }])
  })

  test('tells the other side who was named once it has seen the contract, and the chain keeps it', async () => {
    const { id } = await givenDraft()
    const name = (persons: object[]) => nameThem(cast.project, id, persons)
    const told = () =>
      db
        .selectFrom('message')
        .where('kind', '=', 'contractPersons')
        .where('bizId', '=', String(id))
        .where('accountId', '=', cast.lessor.id)
        .select('id')
        .execute()
    expect((await name([{ task: 'settler', accountId: cast.project.id }])).code).toBe(200)
    expect(await told()).toEqual([])
    expect((await send(cast.project, id)).code).toBe(200)
    expect((await name([])).code).toBe(200)
    expect(await told()).toHaveLength(1)
    expect((await confirm(cast.lessor, id)).code).toBe(200)
    expect((await name([{ task: 'acceptor', accountId: cast.project.id }])).code).toBe(200)
    // It takes the place of the one that is still unread.
    expect(await told()).toHaveLength(1)
    const { links } = (await cast.lessor.call(contract.getContractChain, { params: { id } })).data
    expect(links.filter(({ move }) => move === 'persons')).toHaveLength(3)
  })

  test('a lot is one position with as many units as slots', async () => {
    const { id } = await givenDraft({ lots: 3 })
    const { lines, amount } = await read(cast.project, id)
    expect(lines).toMatchObject([{ isLot: true, qty: 2 }])
    expect(amount).toBe(lines[0]?.amount)
  })

  test('a text that changed since it was read, a wrong code and a clause against the law are not sent', async () => {
    const { id } = await givenDraft()
    const smsCode = await signCode(cast.project, id)
    const hash = await textHash(cast.project, id)
    const sending = (body: object) => cast.project.call(calls.sendContract, { params: { id }, body })
    expect((await sending({ smsCode: '000000', textHash: hash })).msg).toBe('短信验证码错误或已失效')
    const draft = await read(cast.project, id)
    await cast.project.call(calls.editContract, { body: { ...editing(draft), title: '装载机租赁合同（改）' } })
    expect((await sending({ smsCode, textHash: hash })).msg).toBe('合同文本已变化，请重新阅读后再确认')
    await db.updateTable('company').set({ scaleType: 'small' }).where('id', '=', cast.lessor.companyId).execute()
    await db.updateTable('contract').set({ scaleLessor: 'small' }).where('id', '=', id).execute()
    const again = await read(cast.project, id)
    await cast.project.call(calls.editContract, {
      body: { ...editing(again), scaleLessee: 'large', clauses: { ...again.clauses, payDays: 90, extras: ['业主付款后支付'] } },
    })
    const refused = await send(cast.project, id)
    expect([refused.code, refused.data]).toEqual([
      422,
      {
        problems: [
          { key: 'payDays', rule: 'pay_days_sme' },
          { key: 'extras', rule: 'back_to_back' },
        ],
      },
    ])
    expect(await statusOf(id)).toBe('0')
  })

  test('of a confirmation and a recall at the same moment the first wins, whichever it is; of twenty at once one wins each time', async () => {
    const { id } = await givenDraft()
    await send(cast.project, id)
    const frozen = await db.selectFrom('contract').where('id', '=', id).select(['text', 'textEn', 'textHash']).executeTakeFirstOrThrow()
    const hash = frozen.textHash ?? ''
    const recall = async () => (await cast.project.call(calls.recallContract, { params: { id } })).code
    const runs = [
      (confirm: typeof recall) => whileHeld(db, 'contract', [confirm, recall]),
      async (confirm: typeof recall) => (await whileHeld(db, 'contract', [recall, confirm])).toReversed(),
      ...Array.from({ length: 20 }, () => (confirm: typeof recall) => Promise.all([confirm(), recall()])),
    ]
    const confirmed: boolean[] = []
    for (const [round, run] of runs.entries()) {
      const smsCode = await signCode(cast.lessor, id)
      const body = { smsCode, textHash: hash, ...account }
      const codes = await run(async () => (await cast.lessor.call(calls.confirmContract, { params: { id }, body })).code)
      expect(codes.toSorted()).toEqual([200, 409])
      confirmed.push(codes[0] === 200)
      expect(await statusOf(id)).toBe(confirmed.at(-1) ? '2' : '0')
      await db
        .updateTable('contract')
        .set({ ...frozen, status: '1', confirmedAt: null, revision: round + 2 })
        .where('id', '=', id)
        .execute()
    }
    expect(confirmed.slice(0, 2)).toEqual([true, false])
  })
})

describe('who may what', () => {
  test('strangers find no contract, and the other side makes no move of its opposite', async () => {
    const { id } = await givenContract()
    for (const who of ['stranger', 'otherProject', 'strangerAdmin', 'lessor2', 'lapsed'] as const)
      expect((await cast[who].call(contract.getContract, { params: { id } })).code, who).toBe(404)
    expect((await cast.operator.call(contract.getContract, { params: { id } })).code).toBe(404)
    for (const who of ['newcomer', 'clerk'] as const)
      expect((await cast[who].call(contract.getContract, { params: { id } })).code, who).toBe(403)
    for (const who of ['lessee', 'auditor', 'lessor', 'project'] as const)
      expect((await cast[who].call(contract.getContract, { params: { id } })).code, who).toBe(200)
    expect((await read(cast.auditor, id)).bankAccount).toMatch(/^\*+\d{4}$/)
    const other = await givenDraft()
    await send(cast.project, other.id)
    expect((await cast.lessor.call(calls.recallContract, { params: { id: other.id } })).code).toBe(403)
    expect((await cast.project.call(calls.returnContract, { params: { id: other.id }, body: { comment: '不行' } })).code).toBe(403)
    expect((await cast.lessor.call(calls.voidContract, { params: { id: other.id }, body: { reason: '不想要了' } })).code).toBe(403)
  })

  test('where somebody is named to sign, nobody else of their side does', async () => {
    const { id } = await givenDraft()
    const persons = [{ task: 'signer', accountId: cast.lessee.id }]
    expect((await nameThem(cast.project, id, persons)).code).toBe(422)
    expect((await nameThem(cast.lessee, id, persons)).code).toBe(200)
    expect((await cast.project.call(calls.sendSignCode, { params: { id }, body: { purpose: 'send', textHash: 'a'.repeat(64) } })).msg).toBe(
      '本方已指定签约人，只有签约人可以办理',
    )
    expect((await read(cast.project, id)).may).not.toContain('send')
    expect((await send(cast.lessee, id)).code).toBe(200)
  })

  test('where the unit above approves contracts, a draft is sent after its consent and asked for anew after a change', async () => {
    const { id } = await givenDraft()
    await db.updateTable('dept').set({ approvesContracts: true }).where('id', '=', world.depts.root).execute()
    try {
      expect((await send(cast.project, id)).msg).toBe('本单位的合同须上级批准后才能发送')
      expect((await cast.project.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
      const { version } = await read(cast.lessee, id)
      const approve = async (who: Person) => (await who.call(calls.approveContract, { params: { id }, body: { version } })).code
      expect([await approve(cast.project), await approve(cast.lessee)]).toEqual([403, 200])
      const draft = await read(cast.project, id)
      expect([draft.approval, draft.may.includes('send')]).toEqual(['2', true])
      await cast.project.call(calls.editContract, { body: { ...editing(draft), externalNo: 'A-1' } })
      expect((await read(cast.project, id)).approval).toBe('0')
    } finally {
      await db.updateTable('dept').set({ approvesContracts: false }).where('id', '=', world.depts.root).execute()
    }
  })
})

describe('what may not leave a contract that has not ended', () => {
  test('its machine is not retired, its department not switched off, its named people not removed; each may once it has ended', async () => {
    await db.updateTable('contract').set({ status: '7' }).where('status', 'in', ['0', '1']).execute()
    const { id, demand } = await givenContract({ alone: true })
    const [line] = await db.selectFrom('contractLine').where('contractId', '=', id).select(['id', 'equipmentId']).execute()
    // The hire itself is over; only the contract still holds the machine.
    await db
      .deleteFrom('equipmentBooking')
      .where('equipmentId', '=', line?.equipmentId ?? 0)
      .execute()
    const retire = () => cast.lessor.call(retireEquipment, { params: { id: line?.equipmentId ?? 0 } })
    expect((await retire()).msg).toBe('设备在未完结的合同中，不能停用')
    await db.updateTable('demand').set({ status: '7' }).where('deptId', '=', world.depts.projectDept).where('id', '<>', demand.id).execute()
    const off = () => cast.lessee.call(switchDept, { params: { id: world.depts.projectDept }, body: { status: '1' } })
    expect((await off()).msg).toBe('该单位还有未完结的合同，不能停用')
    const named = await world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, 'named')
    const persons = [{ task: 'acceptor', accountId: named.id }]
    expect((await nameThem(cast.lessor, id, persons)).code).toBe(200)
    const remove = () => cast.lessor.call(deletePerson, { params: { id: named.id } })
    expect((await remove()).msg).toBe('该人员是未完结合同的经办人，请先移交其合同事项')
    const { data } = await named.call(checkCancellation, {})
    expect(data.points.find(({ kind }) => kind === 'contracts')?.count).toBe(1)
    await db.updateTable('contract').set({ status: '6' }).where('status', 'in', ['2', '3']).execute()
    expect([(await retire()).code, (await off()).code, (await remove()).code]).toEqual([200, 200, 200])
    await db.updateTable('dept').set({ status: '0' }).where('id', '=', world.depts.projectDept).execute()
  })
})

describe('the list', () => {
  test('is filtered, counted by state and exported for either side', async () => {
    const { id } = await givenContract({ alone: true })
    const { data } = await cast.project.call(contract.listContracts, { query: { status: '2', keyword: '恒岳' } })
    expect(data.rows[0]).toMatchObject({ id, status: '2', positions: 2, lapsesAt: null })
    expect((await cast.project.call(contract.listContracts, { query: { keyword: '没有这个' } })).data.total).toBe(0)
    const { data: counts } = await cast.lessor.call(contract.countContracts, {})
    expect(counts['2']).toBeGreaterThan(0)
    expect((await cast.lessor2.call(contract.countContracts, {})).data['2']).toBeUndefined()
    expect((await cast.lessor.call(contract.exportContracts, {})).bytes.subarray(0, 2).toString()).toBe('PK')
  })
})
