import { awardDemand } from '#shared/award/contract.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import { getContract, getContractText, type Contract } from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { openDueDemands } from '#server/opening/due.ts'
import { monday, type openWorld, type Person } from './world.ts'

type World = Awaited<ReturnType<typeof openWorld>>

/** The steps from an award to a contract in force, as people take them. */
export function contractSteps(world: World) {
  const { cast, clock, services, letters, db } = world

  /** A demand for two machines, one awarded to each lessor; or both to the first. */
  async function givenAwarded({ alone = false, lots = 0 }: { alone?: boolean; lots?: number } = {}) {
    clock.set(monday)
    const demand = await world.givenDemand({}, cast.project, { isTold: false })
    const own = await Promise.all(Array.from({ length: alone ? 2 : 1 }, () => world.givenMachine(cast.lessor.companyId)))
    const lot = lots > 0 ? await world.givenMachine(cast.lessor.companyId, { qty: lots }) : null
    await world.givenQuote(cast.lessor, demand, lot ? [] : own, lot ? { machines: [{ equipmentId: lot, qty: 2 }] } : {})
    if (!alone && !lot)
      await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)], { unitPrice: 20_000 })
    world.passDeadline()
    await openDueDemands(services)
    const lines = await db
      .selectFrom('quoteLine')
      .innerJoin('quote', 'quote.id', 'quoteLine.quoteId')
      .where('quote.demandId', '=', demand.id)
      .select(['quoteLine.demandItemId', 'quoteLine.id as quoteLineId', 'quoteLine.qty'])
      .execute()
    const awarded = await cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })
    if (awarded.code !== 200) throw new Error(awarded.msg)
    const quotes = await db.selectFrom('quote').where('demandId', '=', demand.id).orderBy('id').select(['id', 'companyId']).execute()
    const quoteOf = (person: Person) => quotes.find(({ companyId }) => companyId === person.companyId)?.id ?? 0
    return { demand, quoteOf }
  }

  /** The drafted contract of the first lessor, who has accepted. */
  async function givenDraft(more: Parameters<typeof givenAwarded>[0] = {}) {
    const awarded = await givenAwarded(more)
    const { code, msg } = await cast.lessor.call(calls.acceptAward, { params: { id: awarded.quoteOf(cast.lessor) } })
    if (code !== 200) throw new Error(msg)
    const { id } = await db
      .selectFrom('contract')
      .where('demandId', '=', awarded.demand.id)
      .where('lessorCompanyId', '=', cast.lessor.companyId)
      .select('id')
      .executeTakeFirstOrThrow()
    return { ...awarded, id }
  }

  const pass = (seconds: number) => clock.set(new Date(clock.now().getTime() + seconds * 1000))

  /** A fresh code on the phone of this person: for the text that they are shown, with `account` where they confirm it, or for another bank account. */
  async function signCode(person: Person, id: number, named?: { bankName: string; bankAccount: string }): Promise<string> {
    return codeFor(person, id, named ? { purpose: 'account', ...named } : { textHash: await textHash(person, id) })
  }

  async function codeFor(person: Person, id: number, signed: object): Promise<string> {
    // Codes are limited in time and number, and tests ask for many.
    await db.deleteFrom('smsCode').execute()
    await db.deleteFrom('attempt').execute()
    await db.deleteFrom('callLimit').execute()
    const isLessor = person.companyId === cast.lessor.companyId || person.companyId === cast.lessor2.companyId
    const step = isLessor ? { purpose: 'confirm', ...account } : { purpose: 'send' }
    const { code, msg } = await person.call(calls.sendSignCode, { params: { id }, body: { ...step, ...signed } })
    if (code !== 200) throw new Error(msg)
    return letters.findLast(({ template }) => template === 'signCode')?.params[0]?.[1] ?? ''
  }

  const textHash = async (person: Person, id: number) => (await person.call(getContractText, { params: { id } })).data.textHash

  /** The text that this person is shown, signed by a fresh code. */
  async function signature(person: Person, id: number) {
    const hash = await textHash(person, id)
    return { smsCode: await codeFor(person, id, { textHash: hash }), textHash: hash }
  }

  const send = async (person: Person, id: number) => person.call(calls.sendContract, { params: { id }, body: await signature(person, id) })

  const account = { bankName: '中国工商银行成都分行', bankAccount: '6222 0000 0000 0000 123' }
  const confirm = async (person: Person, id: number) =>
    person.call(calls.confirmContract, { params: { id }, body: { ...(await signature(person, id)), ...account } })

  /** A contract in force between the project and the first lessor. */
  async function givenContract(more: Parameters<typeof givenAwarded>[0] = {}) {
    const draft = await givenDraft(more)
    for (const step of [await send(cast.project, draft.id), await confirm(cast.lessor, draft.id)])
      if (step.code !== 200) throw new Error(step.msg)
    return draft
  }

  return { givenAwarded, givenDraft, givenContract, signCode, signature, textHash, send, confirm, account, pass }
}

/** The steps of an amendment, as people take them. */
export function changeSteps({ cast, db }: World) {
  const read = async (id: number) => (await cast.project.call(getContract, { params: { id } })).data
  const propose = (who: Person, id: number, terms: object, more: object = {}) =>
    who.call(changeCalls.proposeContractChange, { params: { id }, body: { fromDay: '2026-12-10', reason: '工期调整', terms, ...more } })
  const confirm = (who: Person, id: number) => who.call(changeCalls.confirmContractChange, { params: { id } })
  const bookingsOf = (lineId: number) =>
    db.selectFrom('equipmentBooking').where('contractLineId', '=', lineId).orderBy('id').select('period').execute()
  return { read, propose, confirm, bookingsOf }
}

/** Names these people for the own side in the place of those whom the person sees named. */
export async function nameThem(person: Person, id: number, persons: readonly object[]) {
  const seen: Contract | undefined = (await person.call(getContract, { params: { id } })).data
  const before = (seen?.persons ?? []).filter(({ side }) => side === seen?.side).map(({ task, accountId }) => ({ task, accountId }))
  return person.call(calls.nameContractPersons, { params: { id }, body: { persons, before } })
}

/** The body of an edit that changes nothing. */
export const editing = ({ id, version, title, externalNo, address, scaleLessee, scaleLessor, clauses }: Contract) => ({
  id,
  version,
  title,
  externalNo,
  address,
  scaleLessee,
  scaleLessor,
  clauses,
})
