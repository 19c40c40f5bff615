import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { deletePerson, editPerson, getPerson, listPeople, type Person } from '#shared/person/contract.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { day } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

type Deed = 'off' | 'on' | 'reset' | 'delete'

export default function PeopleListPage() {
  const text = useText()
  const { organization } = text
  const site = useSiteName()
  const client = useQueryClient()
  const { info } = useSession()
  const admin = info?.user.isAdmin === true
  const [params] = useSearchParams()
  const [asking, setAsking] = useState<{ person: Person; deed: Deed } | null>(null)
  useRememberedFilters('people')
  const query = {
    pageNum: Number(params.get('pageNum')) || 1,
    pageSize,
    userName: params.get('userName') ?? '',
    phonenumber: params.get('phonenumber') ?? '',
    deptId: Number(params.get('deptId')) || undefined,
    status: (params.get('status') ?? '') as '' | '0' | '1',
  }
  const list = useQuery({
    queryKey: [listPeople.url, query],
    queryFn: () => call(listPeople, { query }),
    placeholderData: (before) => before,
  })
  const act = useMutation({
    mutationFn: async ({ person, deed }: { person: Person; deed: Deed }) => {
      if (deed === 'delete') return call(deletePerson, { params: { id: person.userId } })
      const { userId, name, nickName, phonenumber, deptIds, isAdmin, status } = await call(getPerson, { params: { id: person.userId } })
      return call(editPerson, {
        body: {
          userId,
          name,
          nickName,
          phonenumber,
          deptIds,
          isAdmin,
          status: deed === 'off' ? '1' : deed === 'on' ? '0' : status,
          resetPassword: deed === 'reset',
        },
      })
    },
    onSuccess: (_, { deed }) =>
      toast(
        'success',
        { reset: organization.resetDone, delete: organization.deleted, off: organization.switched, on: organization.switched }[deed],
      ),
    onSettled: () => {
      setAsking(null)
      return client.invalidateQueries({ queryKey: [listPeople.url] })
    },
  })
  const words: Record<Deed, { title: string; ask: string }> = {
    off: { title: organization.off, ask: organization.userOffAsk },
    on: { title: organization.on, ask: '' },
    reset: { title: organization.reset, ask: organization.resetAsk },
    delete: { title: organization.delete, ask: organization.userDeleteAsk },
  }
  return (
    <div className="stack">
      <Head title={organization.people} site={site} index={false} />
      <div className="row between">
        <div>
          <h1>{organization.people}</h1>
          <p className="soft">{organization.lead}</p>
        </div>
        {admin && (
          <Link className="button button-primary" to={paths.addPerson()}>
            {organization.addUser}
          </Link>
        )}
      </div>
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
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <div className="panel scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{organization.realName}</th>
                <th>{organization.userName}</th>
                <th>{organization.mobile}</th>
                <th>{organization.dept}</th>
                <th>{text.site.common.status}</th>
                <th>{organization.created}</th>
                {admin && (
                  <th>
                    <span className="visually-hidden">{text.site.common.edit}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {list.data.rows.map((person) => (
                <tr key={person.userId}>
                  <td className="whole">
                    <strong>{person.name}</strong> {person.isAdmin && <Tag tone="blue">{organization.admin}</Tag>}
                  </td>
                  <td data-label={organization.userName}>{person.userName}</td>
                  <td data-label={organization.mobile} className="num">
                    {person.phonenumber}
                  </td>
                  <td data-label={organization.dept}>{person.deptName || text.site.common.none}</td>
                  <td data-label={text.site.common.status}>
                    <Tag tone={person.status === '0' ? 'good' : 'plain'}>{organization.status[person.status]}</Tag>
                  </td>
                  <td data-label={organization.created} className="num">
                    {day(person.createTime)}
                  </td>
                  {admin && (
                    <td className="whole">
                      <span className="row small" style={{ gap: 10 }}>
                        <Link to={paths.addPerson(`?id=${person.userId}`)}>
                          {text.site.common.edit}
                          <span className="visually-hidden"> {person.name}</span>
                        </Link>
                        {person.userId !== info?.user.userId &&
                          (['reset', person.status === '0' ? 'off' : 'on', 'delete'] as const).map((deed) => (
                            <button
                              key={deed}
                              type="button"
                              className="link"
                              onClick={() => (deed === 'on' ? act.mutate({ person, deed }) : setAsking({ person, deed }))}
                            >
                              {words[deed].title}
                              <span className="visually-hidden"> {person.name}</span>
                            </button>
                          ))}
                      </span>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className="panel">
          <Empty title={organization.noPeople} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking ? words[asking.deed].title : ''}
        action={asking ? words[asking.deed].title : ''}
        busy={act.isPending}
        onConfirm={() => asking && act.mutate(asking)}
      >
        <p>{asking && words[asking.deed].ask}</p>
        <p className="soft">{asking?.person.name}</p>
      </ConfirmDialog>
    </div>
  )
}
