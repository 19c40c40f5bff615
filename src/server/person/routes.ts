import { maskPhone } from '#shared/account/rules.ts'
import { handOverMyTasks, handOverTasks, listMyTasks, listTasksOf } from '#shared/contract/tasks.ts'
import * as contract from '#shared/person/contract.ts'
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import { getDeptTree } from '../dept/queries.ts'
import * as edit from './edit.ts'
import * as people from './queries.ts'
import * as tasks from './tasks.ts'

export function personRoutes(api: Api): void {
  api.handle(contract.listPeople, async ({ db, actor }, { query }) => {
    const { rows, total } = await people.listPeople(db, actor, query)
    return { rows: rows.map((row) => ({ ...row, phonenumber: maskPhone(row.phonenumber) })), total }
  })
  api.handle(contract.exportPeople, ({ db, actor, locale }, { query }) =>
    people.peopleWorkbook(db, actor, { filter: query, text: textOf(locale) }),
  )
  api.handle(contract.listPickablePeople, (at, { query }) => people.listPickablePeople(at, query))
  api.handle(contract.getPerson, ({ db, actor }, { params }) => people.getPerson(db, actor, params.id))
  api.handle(contract.addPerson, (context, { body }) => edit.addPerson(context, body))
  api.handle(contract.editPerson, (context, { body }) => edit.editPerson(context, body))
  api.handle(contract.deletePerson, (deed, { params }) => edit.deletePerson(deed, params.id))
  api.handle(listTasksOf, (at, { params }) => tasks.listTasksOf(at, params.id))
  api.handle(handOverTasks, (deed, { params, body }) => tasks.handOverTasks(deed, { ...params, ...body }))
  api.handle(listMyTasks, (at) => tasks.listTasksOf(at, at.actor.accountId))
  api.handle(handOverMyTasks, (deed, { body }) => tasks.handOverTasks(deed, { id: deed.actor.accountId, ...body }))
  api.handle(contract.getDeptTree, ({ db, actor }) => getDeptTree(db, actor))
}
