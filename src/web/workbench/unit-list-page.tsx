import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteDept, listDepts, switchDept, type Dept } from '#shared/dept/contract.ts'
import { mayHaveChildren } from '#shared/dept/rules.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { day } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

/** Parents before their children, each branch together. */
function asTree(depts: readonly Dept[]): { dept: Dept; level: number }[] {
  const known = new Set(depts.map(({ deptId }) => deptId))
  const childrenOf = Map.groupBy(depts, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : 0))
  const walk = (parent: number, level: number): { dept: Dept; level: number }[] =>
    (childrenOf.get(parent) ?? []).flatMap((dept) => [{ dept, level }, ...walk(dept.deptId, level + 1)])
  return walk(0, 0)
}

type Asking = { dept: Dept; what: 'off' | 'delete' }

export default function UnitListPage() {
  const text = useText()
  const { organization } = text
  const site = useSiteName()
  const client = useQueryClient()
  const { info } = useSession()
  const admin = info?.user.isAdmin === true
  const [asking, setAsking] = useState<Asking | null>(null)
  const list = useQuery({ queryKey: [listDepts.url], queryFn: () => call(listDepts, {}) })
  const again = () => {
    setAsking(null)
    return client.invalidateQueries({ queryKey: [listDepts.url] })
  }
  const change = useMutation({
    mutationFn: ({ dept, status }: { dept: Dept; status: '0' | '1' }) =>
      call(switchDept, { params: { id: dept.deptId }, body: { status } }),
    onSuccess: () => toast('success', organization.switched),
    onSettled: again,
  })
  const remove = useMutation({
    mutationFn: (dept: Dept) => call(deleteDept, { params: { id: dept.deptId } }),
    onSuccess: () => toast('success', organization.deleted),
    onSettled: again,
  })
  return (
    <div className="stack">
      <Head title={organization.list} site={site} index={false} />
      <div className="row between">
        <div>
          <h1>{organization.list}</h1>
          <p className="soft">{organization.lead}</p>
        </div>
        {admin && (
          <span className="row" style={{ gap: 8 }}>
            <Link className="button" to={paths.addUnit()}>
              {organization.addLease}
            </Link>
            <Link className="button button-primary" to={paths.addProject()}>
              {organization.addDept}
            </Link>
          </span>
        )}
      </div>
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.length ? (
        <div className="panel scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{organization.name}</th>
                <th>{organization.leader}</th>
                <th className="right">{organization.count}</th>
                <th className="right">{organization.demandCount}</th>
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
              {asTree(list.data).map(({ dept, level }) => (
                <tr key={dept.deptId}>
                  <td className="whole">
                    <span className="tree-name" style={{ paddingLeft: level * 20 }}>
                      <strong>{dept.deptName}</strong>
                      <Tag tone={dept.deptType === '3' ? 'blue' : 'plain'}>{organization.types[dept.deptType]}</Tag>
                    </span>
                  </td>
                  <td data-label={organization.leader}>
                    {dept.leader || text.site.common.none} <span className="small soft num">{dept.phone}</span>
                  </td>
                  <td data-label={organization.count} className="right num">
                    <Link to={paths.people(`?deptId=${dept.deptId}`)}>
                      {dept.people}
                      <span className="visually-hidden">
                        {' '}
                        {organization.people} {dept.deptName}
                      </span>
                    </Link>
                  </td>
                  <td data-label={organization.demandCount} className="right num">
                    {dept.openDemands > 0 ? <Link to={paths.ownDemands(`?deptId=${dept.deptId}`)}>{dept.openDemands}</Link> : 0}
                  </td>
                  <td data-label={text.site.common.status}>
                    <Tag tone={dept.status === '0' ? 'good' : 'plain'}>{organization.status[dept.status]}</Tag>
                  </td>
                  <td data-label={organization.created} className="num">
                    {day(dept.createTime)}
                  </td>
                  {admin && (
                    <td className="whole">
                      <Actions
                        dept={dept}
                        own={dept.deptId === info?.user.deptId}
                        onAsk={(what) => setAsking({ dept, what })}
                        onSwitchOn={() => change.mutate({ dept, status: '0' })}
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className="panel">
          <Empty title={organization.none} />
        </div>
      )}
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking?.what === 'delete' ? organization.delete : organization.off}
        action={asking?.what === 'delete' ? organization.delete : organization.off}
        busy={change.isPending || remove.isPending}
        onConfirm={() => {
          if (asking?.what === 'delete') remove.mutate(asking.dept)
          else if (asking) change.mutate({ dept: asking.dept, status: '1' })
        }}
      >
        <p>{asking?.what === 'delete' ? organization.deleteAsk : organization.offAsk}</p>
        <p className="soft">{asking?.dept.deptName}</p>
      </ConfirmDialog>
    </div>
  )
}

function Actions({
  dept,
  own,
  onAsk,
  onSwitchOn,
}: {
  dept: Dept
  own: boolean
  onAsk: (what: 'off' | 'delete') => void
  onSwitchOn: () => void
}) {
  const text = useText()
  const { organization } = text
  const named = (words: string) => (
    <>
      {words}
      <span className="visually-hidden"> {dept.deptName}</span>
    </>
  )
  return (
    <span className="row small" style={{ gap: 10 }}>
      <Link to={(dept.deptType === '3' ? paths.addProject : paths.addUnit)(`?id=${dept.deptId}`)}>{named(text.site.common.edit)}</Link>
      {mayHaveChildren(dept.deptType) && dept.status === '0' && (
        <Link to={paths.addProject(`?parentId=${dept.deptId}`)}>{named(organization.addDept)}</Link>
      )}
      {!own &&
        (dept.status === '0' ? (
          <button type="button" className="link" onClick={() => onAsk('off')}>
            {named(organization.off)}
          </button>
        ) : (
          <button type="button" className="link" onClick={onSwitchOn}>
            {named(organization.on)}
          </button>
        ))}
      {!own && dept.people === 0 && (
        <button type="button" className="link" onClick={() => onAsk('delete')}>
          {named(organization.delete)}
        </button>
      )}
    </span>
  )
}
