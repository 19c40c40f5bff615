import { useMutation, useQuery } from '@tanstack/react-query'
import { deleteDept, listDepts, switchDept, type Dept } from '#shared/dept/contract.ts'
import { deptType, mayHaveChildren } from '#shared/dept/rules.ts'
import { enableStatus, yesNo } from '#shared/rules.ts'
import { call } from '../app/api.ts'
import { day } from '../app/format.ts'
import { ListFrame, type Column } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { Tag } from '../ui/parts.tsx'
import { repeatMs } from '../ui/throttle.ts'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'
import './unit-list.css'

type Branch = { dept: Dept; level: number }

/** Orders units so that each follows its parent. */
function asTree(depts: readonly Dept[]): Branch[] {
  const listedIds = new Set(depts.map(({ deptId }) => deptId))
  const childrenOf = Map.groupBy(depts, ({ parentId }) => (parentId !== null && listedIds.has(parentId) ? parentId : 0))
  const walk = (parent: number, level: number): Branch[] =>
    (childrenOf.get(parent) ?? []).flatMap((dept) => [{ dept, level }, ...walk(dept.deptId, level + 1)])
  return walk(0, 0)
}

/** Why a unit cannot be disabled, as far as the list tells; the server also knows its contracts. A demand below stands under an enabled unit, so the first answer covers it. */
export function inTheWayOfOff({ deptId, openDemands }: Dept, units: readonly Branch[]): 'dept_has_children' | 'dept_has_demands' | null {
  if (units.some(({ dept }) => dept.parentId === deptId && dept.status === enableStatus.enabled)) return 'dept_has_children'
  return openDemands > 0 ? 'dept_has_demands' : null
}

export default function UnitListPage() {
  const text = useText()
  const { organization } = text
  const { info } = useSession()
  const admin = info?.user.isAdmin === true
  const list = useQuery({
    queryKey: [listDepts.url],
    queryFn: () => call(listDepts, {}),
    select: (depts) => ({ total: depts.length, rows: asTree(depts) }),
  })
  const { confirm, dialog } = useConfirm(listDepts)
  const switchOn = useMutation({
    mutationFn: ({ deptId }: Dept) => call(switchDept, { params: { id: deptId }, body: { status: enableStatus.enabled } }),
    onSuccess: () => toast('success', organization.switched),
    onSettled: () => invalidate(listDepts),
  })
  const ask = (dept: Dept, action: 'off' | 'delete') => {
    const { deptId, deptName } = dept
    const inTheWay = inTheWayOfOff(dept, list.data?.rows ?? [])
    confirm({
      title: organization[action],
      subject: deptName,
      ...(action === 'delete'
        ? {
            question: organization.deleteAsk,
            run: () => call(deleteDept, { params: { id: deptId } }),
            done: () => organization.deleted,
          }
        : {
            question: inTheWay ? text.refusal[inTheWay] : organization.offAsk,
            ...(!inTheWay && { run: () => call(switchDept, { params: { id: deptId }, body: { status: enableStatus.disabled } }) }),
            done: () => organization.switched,
          }),
    })
  }
  const actions: Column<Branch> = {
    label: text.site.common.actions,
    buttons: true,
    whole: true,
    cell: ({ dept }) => (
      <Actions
        dept={dept}
        own={dept.deptId === info?.user.deptId}
        onConfirm={(action) => ask(dept, action)}
        onSwitchOn={() => switchOn.mutate(dept)}
      />
    ),
  }
  return (
    <>
      <ListFrame
        title={organization.list}
        lead={organization.lead}
        actions={
          admin && (
            <span className="row gap-8">
              <Link className="button" to={paths.addUnit()}>
                {organization.addLease}
              </Link>
              <Link className="button button-primary" to={paths.addProject()}>
                {organization.addDept}
              </Link>
            </span>
          )
        }
        list={list}
        keyOf={({ dept }) => dept.deptId}
        empty={organization.none}
        columns={[
          {
            label: organization.name,
            whole: true,
            cell: ({ dept, level }) => (
              <span className="tree-name" style={{ paddingLeft: level * 20 }}>
                <strong>{dept.deptName}</strong>
                <Tag tone={dept.deptType === deptType.project ? 'blue' : 'plain'}>{organization.types[dept.deptType]}</Tag>
              </span>
            ),
          },
          {
            label: organization.leader,
            cell: ({ dept }) => (
              <>
                {dept.leader || text.site.common.none} <span className="small soft num">{dept.phone}</span>
              </>
            ),
          },
          {
            label: organization.count,
            num: true,
            cell: ({ dept }) => <PeopleLink dept={dept} />,
          },
          {
            label: organization.demandCount,
            num: true,
            cell: ({ dept }) =>
              dept.openDemands > 0 ? <Link to={paths.ownDemands(`?deptId=${dept.deptId}&open=${yesNo.yes}`)}>{dept.openDemands}</Link> : 0,
          },
          {
            label: text.site.common.status,
            cell: ({ dept }) => (
              <Tag tone={dept.status === enableStatus.enabled ? 'good' : 'plain'}>{organization.status[dept.status]}</Tag>
            ),
          },
          { label: organization.created, className: 'num', cell: ({ dept }) => day(dept.createTime) },
          ...(admin ? [actions] : []),
        ]}
      />
      {dialog}
    </>
  )
}

function Actions({
  dept,
  own,
  onConfirm,
  onSwitchOn,
}: {
  dept: Dept
  own: boolean
  onConfirm: (action: 'off' | 'delete') => void
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
    <span className="row small gap-10">
      <Link to={(dept.deptType === deptType.project ? paths.addProject : paths.addUnit)(`?id=${dept.deptId}`)}>
        {named(text.site.common.edit)}
      </Link>
      {mayHaveChildren(dept.deptType) && dept.status === enableStatus.enabled && (
        <Link to={paths.addProject(`?parentId=${dept.deptId}`)}>{named(organization.addDept)}</Link>
      )}
      {!own &&
        (dept.status === enableStatus.enabled ? (
          <button type="button" className="link" onClick={() => onConfirm('off')}>
            {named(organization.off)}
          </button>
        ) : (
          <button type="button" className="link" data-repeat-ms={repeatMs} onClick={onSwitchOn}>
            {named(organization.on)}
          </button>
        ))}
      {!own && dept.people === 0 && (
        <button type="button" className="link" onClick={() => onConfirm('delete')}>
          {named(organization.delete)}
        </button>
      )}
    </span>
  )
}

function PeopleLink({ dept }: { dept: Dept }) {
  const { organization } = useText()
  return (
    <Link to={paths.people(`?deptId=${dept.deptId}`)}>
      {dept.people}
      <span className="visually-hidden">
        {' '}
        {organization.people} {dept.deptName}
      </span>
    </Link>
  )
}
