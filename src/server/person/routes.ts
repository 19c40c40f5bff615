import * as contract from '#shared/person/contract.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import * as people from './queries.ts'

export function personRoutes(api: Api): void {
  api.handle(contract.listPeople, ({ db, actor }, { query }) => people.findPeople(db, actor, query))

  api.handle(contract.pickPeople, ({ db, actor }, { query }) => people.findPersonnel(db, actor, query))

  api.handle(contract.getPerson, async ({ db, actor }, { params }) => {
    const person = await people.findPerson(db, actor, params.id)
    if (!person) throw new Refusal('not_found')
    return person
  })

  api.handle(contract.addPerson, ({ actor, now, ...services }, { body }) => people.insertPerson(services, actor, body, now))

  api.handle(contract.editPerson, async ({ actor, now, ...services }, { body }) => {
    await people.updatePerson(services, actor, body, now)
    return null
  })

  api.handle(contract.deletePerson, async ({ actor, ...services }, { params }) => {
    await people.deletePerson(services, actor, params.id)
    return null
  })

  api.handle(contract.getDeptTree, ({ db, actor }) => people.findDeptTree(db, actor))
}
