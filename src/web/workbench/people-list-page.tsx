import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { accountStatus, maskPhone } from '#shared/account/rules.ts'
import { deletePerson, editPerson, exportPeople, getPerson, listPeople, type Person } from '#shared/person/contract.ts'
import { comma } from '#shared/text/punctuation.ts'
import { ApiError, call } from '../app/api.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { day } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { roleIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { filtersOf, queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import { peoplePaths } from '../app/workbench-menu.ts'
import type { RowAction, WorkColumn } from '../app/work-table.tsx'
import { Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { HandOverDialog } from '../person/hand-over.tsx'
import { Link } from '../ui/link.tsx'
import { DeptChip } from './dept-chip.tsx'

const pageSize = 10

type PersonAction = 'off' | 'on' | 'reset' | 'delete'

export default function PeopleListPage() {
  const text = useText()
  const { organization } = text
  const session = useSession()
  const pages = peoplePaths(roleIn(session))
  const admin = session.info?.user.isAdmin === true
  const [params] = useSearchParams()
  const [leaving, setLeaving] = useState<Person | null>(null)
  useRememberedFilters('people', 'deptId')
  const query = filtersOf(params)
  const list = useList(listPeople, pageSize)
  const columns = usePeopleColumns(pages.isCompany)
  const { confirm, dialog } = useConfirm(listPeople)
  const switchOn = useMutation({
    mutationFn: (person: Person) => changePerson(person, 'on'),
    onSuccess: () => toast('success', organization.switched),
    onSettled: () => invalidate(listPeople),
  })
  const words: Record<PersonAction, { title: string; question: string; done: string }> = {
    off: { title: organization.off, question: organization.userOffAsk, done: organization.switched },
    on: { title: organization.on, question: '', done: organization.switched },
    reset: { title: organization.reset, question: organization.resetAsk, done: organization.resetDone },
    delete: { title: organization.delete, question: organization.userDeleteAsk, done: organization.deleted },
  }
  const ask = (person: Person, action: PersonAction) =>
    confirm({
      title: words[action].title,
      question: words[action].question,
      subject: person.name,
      run: () => (action === 'delete' ? call(deletePerson, { params: { id: person.userId } }) : changePerson(person, action)),
      done: () => words[action].done,
      onError: (problem) => isNamed(problem) && setLeaving(person),
    })
  const menu = (person: Person): RowAction[] =>
    person.userId === session.info?.user.userId
      ? []
      : [
          { label: text.contract.pages.handOver.action, run: () => setLeaving(person) },
          ...actionsFor(person).map((action) => ({
            label: words[action].title,
            danger: action === 'delete',
            run: () => (action === 'on' ? switchOn.mutate(person) : ask(person, action)),
          })),
        ]
  const add = admin && (
    <Link className="button button-primary" to={pages.form(query.deptId ? `?deptId=${query.deptId}` : '')}>
      {organization.addUser}
    </Link>
  )
  return (
    <>
      <WorkList
        name="people"
        title={organization.people}
        lead={pages.isCompany ? organization.companyLead : organization.peopleLead}
        actions={add}
        filters={<PeopleFilters query={query} />}
        list={list}
        keyOf={({ userId }) => userId}
        nameOf={({ name, userName }) => name || userName}
        exported={() => exportList(exportPeople, queryOf(params, exportPeople))}
        {...(admin && {
          verb: (person: Person) => (
            <Link className="button button-small" to={pages.form(`?id=${person.userId}`)}>
              {text.site.common.edit}
              <span className="visually-hidden"> {person.name}</span>
            </Link>
          ),
          menu,
        })}
        empty={organization.noPeople}
        emptyAction={add}
        pageSize={pageSize}
        columns={columns}
      />
      {leaving && (
        <HandOverDialog key={leaving.userId} person={leaving} onClose={() => setLeaving((now) => (now === leaving ? null : now))} />
      )}
      {dialog}
    </>
  )
}

/** Whom the platform has switched off, only the platform switches on. */
function actionsFor({ status, platformLocked }: Person): PersonAction[] {
  if (status === accountStatus.active) return ['reset', 'off', 'delete']
  return platformLocked ? ['reset', 'delete'] : ['reset', 'on', 'delete']
}

/** Stores the person as they stand on the server, with another status or a new password. */
async function changePerson({ userId: id }: Person, action: 'off' | 'on' | 'reset') {
  const { userId, name, nickName, phonenumber, deptIds, isAdmin, driverOnly, status, version } = await call(getPerson, { params: { id } })
  return call(editPerson, {
    body: {
      userId,
      name,
      nickName,
      phonenumber,
      deptIds,
      isAdmin,
      driverOnly,
      status: action === 'off' ? accountStatus.locked : action === 'on' ? accountStatus.active : status,
      resetPassword: action === 'reset',
      version,
    },
  })
}

function PeopleFilters({ query }: { query: Record<string, string> }) {
  const text = useText()
  const { organization } = text
  return (
    <>
      {query.deptId && <DeptChip id={query.deptId} />}
      <FilterForm>
        {query.deptId && <input type="hidden" name="deptId" value={query.deptId} />}
        <TextFilter name="userName" label={organization.search} value={query.userName} />
        <TextFilter name="phonenumber" label={organization.mobile} value={query.phonenumber} />
        <SelectFilter
          name="status"
          label={text.site.common.status}
          value={query.status}
          all={text.site.common.all}
          options={Object.entries(organization.status)}
        />
      </FilterForm>
    </>
  )
}

/** Whether a change was refused because the person has tasks of contracts, which are to be handed over first. */
const isNamed = (error: Error): boolean => error instanceof ApiError && Boolean((error.data as { contracts?: number } | null)?.contracts)

function usePeopleColumns(isCompany: boolean): WorkColumn<Person>[] {
  const text = useText()
  const { organization } = text
  return [
    {
      id: 'realName',
      label: organization.realName,
      sort: 'name',
      whole: true,
      cell: (person) => (
        <>
          <strong>{person.name}</strong> {person.isAdmin && <Tag tone="blue">{organization.admin}</Tag>}
          {person.driverOnly && <Tag tone="plain">{organization.driverOnly}</Tag>}
        </>
      ),
    },
    { id: 'userName', label: organization.userName, cell: (person) => person.userName },
    { id: 'mobile', label: organization.mobile, className: 'num', cell: (person) => maskPhone(person.phonenumber) },
    // People of a lessor belong to the company as a whole.
    ...(isCompany
      ? []
      : [
          {
            id: 'dept',
            className: 'long-name',
            label: organization.dept,
            cell: ({ deptNames }: Person) => deptNames.join(comma(text)) || text.site.common.none,
          },
        ]),
    {
      id: 'status',
      label: text.site.common.status,
      cell: ({ status, platformLocked }) => (
        <Tag tone={status === accountStatus.active ? 'good' : 'plain'}>
          {platformLocked ? organization.offByPlatform : organization.status[status]}
        </Tag>
      ),
    },
    { id: 'created', label: organization.created, sort: 'createTime', className: 'num', cell: (person) => day(person.createTime) },
  ]
}
