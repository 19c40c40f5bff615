import * as contract from '#shared/person/contract.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import * as people from './queries.ts'

export function personRoutes(api: Api): void {
  api.handle(contract.listPeople, ({ query }, { db, actor }) => people.findPeople(db, actor, query))

  api.handle(contract.pickPeople, ({ query }, { db, actor }) => people.findPersonnel(db, actor, query))

  api.handle(contract.getPerson, async ({ params }, { db, actor }) => {
    const person = await people.findPerson(db, actor, params.id)
    if (!person) throw new Refusal('not_found')
    return person
  })

  api.handle(contract.addPerson, ({ body }, { actor, now, ...services }) => people.insertPerson(services, actor, body, now))

  api.handle(contract.editPerson, async ({ body }, { actor, now, ...services }) => {
    await people.updatePerson(services, actor, body, now)
    return null
  })

  api.handle(contract.deletePerson, async ({ params }, { actor, ...services }) => {
    await people.deletePerson(services, actor, params.id)
    return null
  })

  api.handle(contract.getDeptTree, (_, { db, actor }) => people.findDeptTree(db, actor))
}
