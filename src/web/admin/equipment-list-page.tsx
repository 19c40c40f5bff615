import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { confirmTrusted, getReview, listReviews, passEquipmentBatch, restoreEquipment, reviewScopes } from '#shared/equipment/own.ts'
import { getOverview } from '#shared/system/contract.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { minute, named } from '../app/format.ts'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { useText } from '../app/text.tsx'
import { Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 20

/** Machines and changes that wait for review, machines of trusted companies, and machines that were taken down; the longest wait comes first. */
export default function EquipmentReviewListPage() {
  const text = useText()
  const words = text.equipment.review
  const { equipment } = text.admin
  const [params] = useSearchParams()
  const scope = reviewScopes.find((one) => one === params.get('scope')) ?? 'waiting'
  const list = useList(listReviews, pageSize)
  const { confirm, dialog } = useConfirm(listReviews, getReview, getOverview)
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const rows = list.data?.rows ?? []
  const chosen = rows.filter(({ id }) => picked.has(id))
  const toggle = (ids: readonly number[], on: boolean) =>
    setPicked((before) => {
      const next = new Set(before)
      for (const id of ids)
        if (on) next.add(id)
        else next.delete(id)
      return next
    })
  const passAll = () =>
    confirm({
      title: equipment.passSelected(chosen.length),
      question: equipment.passAsk(chosen.length),
      harmless: true,
      run: async () => {
        const { passed, left } = await call(passEquipmentBatch, { body: { machines: chosen.map(({ id, version }) => ({ id, version })) } })
        setPicked(new Set(left.map(({ id }) => id)))
        if (left.length > 0) toast('warning', equipment.left(left.length))
        return passed
      },
      done: (passed) => equipment.passed(passed as number),
    })
  return (
    <>
      <ListFrame
        title={words.title}
        lead={scope === 'trusted' ? equipment.trustedHint : undefined}
        filters={
          <>
            <nav className="tabs" aria-label={words.title}>
              {reviewScopes.map((one) => (
                <Link
                  key={one}
                  to={paths.equipmentReviews(one === 'waiting' ? '' : `?scope=${one}`)}
                  aria-current={one === scope ? 'page' : undefined}
                >
                  {equipment.scopes[one]}
                </Link>
              ))}
            </nav>
            {scope === 'waiting' && rows.length > 0 && (
              <SelectionBar
                count={chosen.length}
                isAll={rows.every(({ id }) => picked.has(id))}
                onAll={(all) =>
                  toggle(
                    rows.map(({ id }) => id),
                    all,
                  )
                }
                onPass={passAll}
              />
            )}
          </>
        }
        list={list}
        keyOf={({ id }) => id}
        empty={words.empty}
        pageSize={pageSize}
        columns={[
          {
            label: text.equipment.upload.fields.name,
            whole: true,
            cell: (machine) => (
              <span className="order-row">
                {scope === 'waiting' && (
                  <input
                    type="checkbox"
                    aria-label={`${equipment.select} ${machine.name} ${machine.equipmentCode}`}
                    checked={picked.has(machine.id)}
                    onChange={(event) => toggle([machine.id], event.target.checked)}
                  />
                )}
                <span>
                  <Link to={paths.equipmentReview(machine.id)}>{machine.name}</Link>
                  <span className="small faint block">
                    {named(text, machine)} · <span className="num">{machine.equipmentCode}</span>
                  </span>
                </span>
              </span>
            ),
          },
          {
            label: text.equipment.lessor,
            cell: (machine) => (
              <>
                {machine.companyName} {machine.companyGrade && <Tag tone="good">{machine.companyGrade}</Tag>}
              </>
            ),
          },
          {
            label: text.site.common.status,
            cell: (machine) => (
              <span className="row gap-4">
                {scope === 'waiting' && (
                  <Tag tone={machine.isChange ? 'amber' : 'blue'}>{machine.isChange ? words.isChange : words.isNew}</Tag>
                )}
                {scope === 'off' && <span className="small">{machine.offReason}</span>}
                {machine.duplicates > 0 && <Tag tone="bad">{words.duplicates(machine.duplicates)}</Tag>}
              </span>
            ),
          },
          { label: words.waiting, cell: (machine) => <span className="num">{minute(machine.submitTime)}</span> },
          ...(scope === 'waiting'
            ? []
            : [
                {
                  label: text.site.common.actions,
                  cell: (machine: { id: number; name: string }) => (
                    <button
                      type="button"
                      className="button button-small"
                      onClick={() =>
                        confirm({
                          title: scope === 'off' ? equipment.restore : equipment.confirm,
                          question: machine.name,
                          harmless: true,
                          run: () => call(scope === 'off' ? restoreEquipment : confirmTrusted, { params: { id: machine.id } }),
                          done: () => (scope === 'off' ? equipment.restored : equipment.confirmed),
                        })
                      }
                    >
                      {scope === 'off' ? equipment.restore : equipment.confirm}
                      <span className="visually-hidden"> {machine.name}</span>
                    </button>
                  ),
                },
              ]),
        ]}
      />
      {dialog}
    </>
  )
}

/** Selects all machines of the page, and passes the selected ones. */
function SelectionBar({
  count,
  isAll,
  onAll,
  onPass,
}: {
  count: number
  isAll: boolean
  onAll: (all: boolean) => void
  onPass: () => void
}) {
  const { equipment } = useText().admin
  return (
    <div className="row between">
      <label className="check">
        <input type="checkbox" checked={isAll} onChange={(event) => onAll(event.target.checked)} />
        {equipment.selectAll}
      </label>
      <button type="button" className="button button-primary" disabled={count === 0} onClick={onPass}>
        {equipment.passSelected(count)}
      </button>
    </div>
  )
}
